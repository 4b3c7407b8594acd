package org.plant4j.corpus.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.Admissions.CodeFilter;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;
import org.plant4j.support.DidYouMean;

/**
 * MIMIC-IV: discharge notes with the ICD-10 or ICD-9 codes of their admission, one document per admission. By default
 * only codes of at least ten documents are kept (Edin et al. 2023). Subsets are the values of a split file.
 */
final class Mimic4Tables implements AdmissionTables {

    static final CorpusFormat FORMAT = new CorpusFormat(
            "mimic4",
            Stream.concat(Stream.of("splits", "icd"), CodeFilter.OPTION_NAMES.stream())
                    .toList(),
            Mimic4Tables::open);

    private static final int DEFAULT_MIN_DOCUMENTS = 10;
    private static final List<String> ID_COLUMNS = List.of("hadm_id", "_id", "note_id");

    /** Where PhysioNet's layout keeps the tables, besides the directory itself. */
    private static final List<String> DIRECTORIES = List.of("", "hosp", "note");

    private final Path directory;
    private final boolean icd10;

    private Mimic4Tables(Path directory, boolean icd10) {
        this.directory = directory;
        this.icd10 = icd10;
    }

    private static OpenedCorpus open(Path directory, FormatOptions options, BadRowHandler badRows) {
        int icd = options.intValue("icd", 9).orElse(10);
        if (icd > 10) {
            throw FormatOptions.invalid("icd", String.valueOf(icd), "9 or 10");
        }
        Admissions admissions = new Admissions(
                new Mimic4Tables(directory, icd == 10), CodeFilter.of(options, DEFAULT_MIN_DOCUMENTS), badRows);
        AdmissionCorpus whole = new AdmissionCorpus("mimic4", admissions);
        return new OpenedCorpus(whole, split -> {
            Path file = options.requiredPath("splits", "a CSV file with the columns _id and split");
            return whole.subset(split, () -> {
                Set<String> ids = readIds(file, split, badRows);
                return note -> ids.contains(note.admission()) || ids.contains(note.id());
            });
        });
    }

    /** Reads the admission or note ids of a split; {@code dev} and {@code val} are synonyms. */
    private static Set<String> readIds(Path file, String split, BadRowHandler badRows) {
        Set<String> ids = new HashSet<>();
        Set<String> names = new TreeSet<>();
        try (DelimitedFile rows = DelimitedFile.open(file, ',', badRows, "split")) {
            String idColumn = ID_COLUMNS.stream()
                    .filter(rows::hasColumn)
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            "No column with ids; found: " + rows.describeHeader(),
                            file + ":1",
                            "name the column hadm_id, note_id or _id"));
            rows.forEachRemaining(row -> {
                names.add(row.get("split").strip());
                if (canonicalSplit(row.get("split")).equals(canonicalSplit(split))) {
                    ids.add(AdmissionTables.normalizeId(row.get(idColumn)));
                }
            });
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
        if (ids.isEmpty()) {
            throw new UserError(
                    "No documents in split '" + split + "'", file.toString(), DidYouMean.remedy(split, names));
        }
        return ids;
    }

    private static String canonicalSplit(String split) {
        String name = split.strip().toLowerCase(Locale.ROOT);
        return name.equals("val") ? "dev" : name;
    }

    @Override
    public Stream<DischargeNote> notes(BadRowHandler badRows) {
        return DelimitedFile.rows(find("discharge.csv"), ',', badRows, "note_id", "hadm_id", "note_type", "text")
                .filter(row -> !row.get("hadm_id").isBlank())
                .map(row -> new DischargeNote(
                        AdmissionTables.normalizeId(row.get("hadm_id")),
                        AdmissionTables.normalizeId(row.find("subject_id").orElse(row.get("hadm_id"))),
                        row.get("note_id").strip(),
                        row.get("note_type").strip().equalsIgnoreCase("AD"),
                        row.get("text")));
    }

    @Override
    public Map<String, List<String>> codes(BadRowHandler badRows) {
        Map<String, List<String>> codes = new HashMap<>();
        addCodes("diagnoses_icd.csv", icd10 ? CodeSystem.ICD_10_CM : CodeSystem.ICD_9_CM, codes, badRows);
        addCodes("procedures_icd.csv", icd10 ? CodeSystem.ICD_10_PCS : CodeSystem.ICD_9_PROCEDURE, codes, badRows);
        return codes;
    }

    private void addCodes(String table, CodeSystem system, Map<String, List<String>> codes, BadRowHandler badRows) {
        String version = icd10 ? "10" : "9";
        try (Stream<DelimitedFile.Row> rows =
                DelimitedFile.rows(find(table), ',', badRows, "hadm_id", "icd_code", "icd_version")) {
            AdmissionTables.addCodes(
                    rows.filter(row -> row.get("icd_version").strip().equals(version)),
                    "hadm_id",
                    "icd_code",
                    system,
                    codes);
        }
    }

    private Path find(String name) {
        return DIRECTORIES.stream()
                .map(place -> TextFiles.resolve(directory.resolve(place), name))
                .filter(Files::exists)
                .findFirst()
                .orElse(directory.resolve(name));
    }
}
