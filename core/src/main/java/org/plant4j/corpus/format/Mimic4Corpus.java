package org.plant4j.corpus.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.DelimitedFile;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.TextFiles;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/**
 * MIMIC-IV discharge notes with the ICD-10 or ICD-9 codes of their admission, one document an admission; by custom
 * (Edin et al. 2023) only codes of at least ten documents are kept.
 *
 * <p>Memory: see {@link Admissions}; {@code discharge.csv} itself streams, once to count and once for each pass.
 */
public final class Mimic4Corpus implements Corpus {

    /** Where the tables are, {@code icd} 10 or 9, and which codes are kept. */
    public record Settings(Path directory, int icd, Optional<Path> codeList, Optional<Integer> top, int minimum) {

        public Settings {
            if (icd != 9 && icd != 10) {
                throw new IllegalArgumentException("icd: " + icd + " (expected: 9 or 10)");
            }
        }
    }

    /** A part of a split file: the rows whose {@code split} column holds the part's name. */
    private record SplitFile(Path file, String name) {}

    private final String name;
    private final Admissions admissions;
    private final Optional<SplitFile> part;
    private final BadRowHandler badRows;

    private Mimic4Corpus(String name, Admissions admissions, Optional<SplitFile> part, BadRowHandler badRows) {
        this.name = name;
        this.admissions = admissions;
        this.part = part;
        this.badRows = badRows;
    }

    /** Every admission that has a discharge note and a kept code. */
    public static Mimic4Corpus open(Settings layout, BadRowHandler badRows) {
        Admissions admissions = new Admissions(
                bad -> notes(layout.directory(), bad),
                bad -> codes(layout, bad),
                new Admissions.CodeFilter(layout.codeList(), layout.top().orElse(Integer.MAX_VALUE), layout.minimum()),
                badRows);
        return new Mimic4Corpus("mimic4", admissions, Optional.empty(), badRows);
    }

    /**
     * One part by a CSV file with the columns {@code split} and {@code hadm_id} (or {@code _id} or {@code note_id}, which
     * may hold the admission's or the note's number); {@code dev} and {@code val} are one. Shares what was read of codes.
     */
    public Mimic4Corpus subset(String wanted, Path file) {
        return new Mimic4Corpus(wanted, admissions, Optional.of(new SplitFile(file, wanted)), badRows);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stream<Document> documents() {
        Optional<Set<String>> wanted = part.map(this::readIds);
        return admissions.documents(note -> wanted.isEmpty()
                || wanted.get().contains(note.admission())
                || wanted.get().contains(note.id()));
    }

    private Set<String> readIds(SplitFile split) {
        Set<String> ids = new HashSet<>();
        Set<String> names = new TreeSet<>();
        try (DelimitedFile table = DelimitedFile.open(split.file(), ',', badRows, "split")) {
            String column = List.of("hadm_id", "_id", "note_id").stream()
                    .filter(table::hasColumn)
                    .findFirst()
                    .orElseThrow(() -> new UserError(
                            "No column of ids; found: " + table.describeHeader(),
                            split.file() + ":1",
                            "name it hadm_id or _id"));
            table.forEachRemaining(row -> {
                names.add(row.get("split").strip());
                if (canonical(row.get("split")).equals(canonical(split.name()))) {
                    ids.add(Admissions.normalizeId(row.get(column)));
                }
            });
        } catch (IOException e) {
            throw TextFiles.unreadable(split.file(), e);
        }
        if (ids.isEmpty()) {
            throw new UserError(
                    "No document of part '" + split.name() + "'",
                    split.file().toString(),
                    DidYouMean.remedy(split.name(), names));
        }
        return ids;
    }

    private static String canonical(String split) {
        String name = split.strip().toLowerCase(Locale.ROOT);
        return name.equals("val") ? "dev" : name;
    }

    private static Stream<Admissions.DischargeNote> notes(Path folder, BadRowHandler badRows) {
        return DelimitedFile.rows(
                        file(folder, "discharge.csv"), ',', badRows, "note_id", "hadm_id", "note_type", "text")
                .filter(row -> !row.get("hadm_id").isBlank())
                .map(row -> new Admissions.DischargeNote(
                        Admissions.normalizeId(row.get("hadm_id")),
                        row.get("note_id").strip(),
                        row.get("note_type").strip().equalsIgnoreCase("AD"),
                        row.get("text")));
    }

    private static Map<String, List<String>> codes(Settings layout, BadRowHandler badRows) {
        boolean ten = layout.icd() == 10;
        Map<String, List<String>> codes = new HashMap<>();
        read(layout, "diagnoses_icd.csv", ten ? CodeSystem.ICD_10_CM : CodeSystem.ICD_9_CM, codes, badRows);
        read(layout, "procedures_icd.csv", ten ? CodeSystem.ICD_10_PCS : CodeSystem.ICD_9_PROCEDURE, codes, badRows);
        return codes;
    }

    private static void read(
            Settings layout, String table, CodeSystem system, Map<String, List<String>> codes, BadRowHandler badRows) {
        Map<String, String> once = new HashMap<>();
        String version = String.valueOf(layout.icd());
        try (Stream<DelimitedFile.Row> rows = DelimitedFile.rows(
                file(layout.directory(), table), ',', badRows, "hadm_id", "icd_code", "icd_version")) {
            rows.filter(row -> row.get("icd_version").strip().equals(version)
                            && !row.get("icd_code").isBlank())
                    .forEach(row -> {
                        String code = once.computeIfAbsent(row.get("icd_code"), system::canonical);
                        codes.computeIfAbsent(Admissions.normalizeId(row.get("hadm_id")), id -> new ArrayList<>())
                                .add(code);
                    });
        }
    }

    /** The file in the folder, or in its {@code hosp} or {@code note} as PhysioNet lays them out. */
    private static Path file(Path folder, String name) {
        for (String place : List.of("", "hosp", "note")) {
            Path file = TextFiles.resolve(folder.resolve(place), name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return folder.resolve(name);
    }
}
