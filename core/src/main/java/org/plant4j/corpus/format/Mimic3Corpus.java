package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.DelimitedFile;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.TextFiles;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.support.UserError;

/**
 * MIMIC-III discharge summaries with their ICD-9 diagnoses and procedures, one document an admission, addenda after the
 * summary, as CAML's preprocessing (Mullenbach et al. 2018) and those after it have them.
 *
 * <p>Memory: see {@link Admissions}; {@code NOTEEVENTS.csv} itself streams, once to count and once for each pass.
 */
public final class Mimic3Corpus implements Corpus {

    /** The folder with the three tables, and which codes are kept: all, those of a list, or the most frequent. */
    public record Settings(Path directory, Optional<Path> codeList, Optional<Integer> top, int minimum) {}

    private final String name;
    private final Admissions admissions;
    private final Optional<Path> ids;
    private final BadRowHandler badRows;

    private Mimic3Corpus(String name, Admissions admissions, Optional<Path> ids, BadRowHandler badRows) {
        this.name = name;
        this.admissions = admissions;
        this.ids = ids;
        this.badRows = badRows;
    }

    /** Every admission that has a discharge summary and a code. */
    public static Mimic3Corpus open(Settings layout, BadRowHandler badRows) {
        Path folder = layout.directory();
        Admissions admissions = new Admissions(
                bad -> notes(folder, bad),
                bad -> codes(folder, bad),
                new Admissions.CodeFilter(layout.codeList(), layout.top().orElse(Integer.MAX_VALUE), layout.minimum()),
                badRows);
        return new Mimic3Corpus("mimic3", admissions, Optional.empty(), badRows);
    }

    /** The admissions of a published list, one HADM_ID a line; shares what was read of the codes. */
    public Mimic3Corpus subset(String part, Path list) {
        return new Mimic3Corpus(part, admissions, Optional.of(list), badRows);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Stream<Document> documents() {
        Optional<Set<String>> wanted = ids.map(this::readIds);
        return admissions.documents(note -> wanted.isEmpty() || wanted.get().contains(note.admission()));
    }

    private Set<String> readIds(Path list) {
        Set<String> wanted = new HashSet<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(list, badRows)) {
            lines.filter(line -> line.number() > 1 || !line.text().strip().equalsIgnoreCase("hadm_id"))
                    .forEach(line -> badRows.tryRead(() -> {
                        String id = Admissions.normalizeId(line.text());
                        if (!id.chars().allMatch(Character::isDigit)) {
                            throw new UserError("Not an admission's number", line.where(), "write one HADM_ID a line");
                        }
                        return wanted.add(id);
                    }));
        }
        return wanted;
    }

    private static Stream<Admissions.DischargeNote> notes(Path folder, BadRowHandler badRows) {
        Path file = TextFiles.resolve(folder, "NOTEEVENTS.csv");
        return DelimitedFile.rows(file, ',', badRows, "ROW_ID", "HADM_ID", "CATEGORY", "DESCRIPTION", "TEXT")
                // Summaries without an admission exist and have no codes.
                .filter(row -> row.get("CATEGORY").strip().equals("Discharge summary")
                        && !row.get("HADM_ID").isBlank())
                .map(row -> new Admissions.DischargeNote(
                        Admissions.normalizeId(row.get("HADM_ID")),
                        row.get("ROW_ID"),
                        row.get("DESCRIPTION").strip().equalsIgnoreCase("Addendum"),
                        row.get("TEXT")));
    }

    private static Map<String, List<String>> codes(Path folder, BadRowHandler badRows) {
        Map<String, List<String>> codes = new HashMap<>();
        read(TextFiles.resolve(folder, "DIAGNOSES_ICD.csv"), CodeSystem.ICD_9_CM, codes, badRows);
        read(TextFiles.resolve(folder, "PROCEDURES_ICD.csv"), CodeSystem.ICD_9_PROCEDURE, codes, badRows);
        return codes;
    }

    private static void read(Path file, CodeSystem system, Map<String, List<String>> codes, BadRowHandler badRows) {
        Map<String, String> once = new HashMap<>();
        try (Stream<DelimitedFile.Row> rows = DelimitedFile.rows(file, ',', badRows, "HADM_ID", "ICD9_CODE")) {
            // Admissions without a coded diagnosis have one row with an empty code.
            rows.filter(row -> !row.get("ICD9_CODE").isBlank()).forEach(row -> {
                String code = once.computeIfAbsent(row.get("ICD9_CODE"), system::canonical);
                codes.computeIfAbsent(Admissions.normalizeId(row.get("HADM_ID")), id -> new ArrayList<>())
                        .add(code);
            });
        }
    }
}
