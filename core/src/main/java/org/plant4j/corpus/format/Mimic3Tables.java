package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.Admissions.CodeFilter;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * MIMIC-III: discharge summaries with ICD-9 diagnoses and procedures, one document per admission, addenda after the
 * summary, as in the preprocessing of CAML (Mullenbach et al. 2018). Subsets are the published lists of admission ids.
 */
final class Mimic3Tables implements AdmissionTables {

    static final CorpusFormat FORMAT = new CorpusFormat(
            "mimic3",
            Stream.concat(Stream.of("ids"), CodeFilter.OPTION_NAMES.stream()).toList(),
            Mimic3Tables::open);

    private final Path directory;

    private Mimic3Tables(Path directory) {
        this.directory = directory;
    }

    private static OpenedCorpus open(Path directory, FormatOptions options, BadRowHandler badRows) {
        Admissions admissions = new Admissions(new Mimic3Tables(directory), CodeFilter.of(options, 1), badRows);
        AdmissionCorpus whole = new AdmissionCorpus("mimic3", admissions);
        return new OpenedCorpus(whole, subset -> {
            Path lists = options.requiredPath("ids", "the directory of {train,dev,test}_{full,50}_hadm_ids.csv");
            String labels = options.intValue("top", 1).map(String::valueOf).orElse("full");
            Path list = TextFiles.resolve(lists, subset + "_" + labels + "_hadm_ids.csv");
            return whole.subset(subset, () -> {
                Set<String> ids = readIds(list, badRows);
                return note -> ids.contains(note.admission());
            });
        });
    }

    /** Reads a list with one {@code HADM_ID} per line. */
    private static Set<String> readIds(Path list, BadRowHandler badRows) {
        Set<String> ids = new HashSet<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(list, badRows)) {
            lines.filter(line -> line.number() > 1 || !line.text().strip().equalsIgnoreCase("hadm_id"))
                    .forEach(line -> badRows.tryRead(() -> ids.add(parseId(line))));
        }
        return ids;
    }

    private static String parseId(TextFiles.Line line) {
        String id = AdmissionTables.normalizeId(line.text());
        if (!id.chars().allMatch(Character::isDigit)) {
            throw new UserError("Not an admission id", line.where(), "write one HADM_ID per line");
        }
        return id;
    }

    @Override
    public Stream<DischargeNote> notes(BadRowHandler badRows) {
        Path file = TextFiles.resolve(directory, "NOTEEVENTS.csv");
        return DelimitedFile.rows(file, ',', badRows, "ROW_ID", "HADM_ID", "CATEGORY", "DESCRIPTION", "TEXT")
                // Summaries without an admission exist, but have no codes.
                .filter(row -> row.get("CATEGORY").strip().equals("Discharge summary")
                        && !row.get("HADM_ID").isBlank())
                .map(row -> new DischargeNote(
                        AdmissionTables.normalizeId(row.get("HADM_ID")),
                        AdmissionTables.normalizeId(row.find("SUBJECT_ID").orElse(row.get("HADM_ID"))),
                        row.get("ROW_ID"),
                        row.get("DESCRIPTION").strip().equalsIgnoreCase("Addendum"),
                        row.get("TEXT")));
    }

    @Override
    public Map<String, List<String>> codes(BadRowHandler badRows) {
        Map<String, List<String>> codes = new HashMap<>();
        addCodes("DIAGNOSES_ICD.csv", CodeSystem.ICD_9_CM, codes, badRows);
        addCodes("PROCEDURES_ICD.csv", CodeSystem.ICD_9_PROCEDURE, codes, badRows);
        return codes;
    }

    private void addCodes(String table, CodeSystem system, Map<String, List<String>> codes, BadRowHandler badRows) {
        Path file = TextFiles.resolve(directory, table);
        try (Stream<DelimitedFile.Row> rows = DelimitedFile.rows(file, ',', badRows, "HADM_ID", "ICD9_CODE")) {
            AdmissionTables.addCodes(rows, "HADM_ID", "ICD9_CODE", system, codes);
        }
    }
}
