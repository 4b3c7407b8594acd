package org.plant4j.corpus.format;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;

/** The tables of a MIMIC release: discharge notes and codes of hospital admissions. */
interface AdmissionTables {

    /** A discharge summary of a patient, or an addendum to one. */
    record DischargeNote(String admission, String patient, String id, boolean addendum, String text) {}

    /** Streams the notes in file order. */
    Stream<DischargeNote> notes(BadRowHandler badRows);

    /** The codes by admission id. */
    Map<String, List<String>> codes(BadRowHandler badRows);

    /** Normalizes an admission id, which some exports write as a decimal number such as {@code 123.0}. */
    static String normalizeId(String text) {
        String id = text.strip();
        return id.endsWith(".0") ? id.substring(0, id.length() - 2) : id;
    }

    /** Adds the codes of rows with an admission id and a code; rows without a code are skipped. */
    static void addCodes(
            Stream<DelimitedFile.Row> rows,
            String idColumn,
            String codeColumn,
            CodeSystem system,
            Map<String, List<String>> codes) {
        Map<String, String> interned = new HashMap<>();
        // Admissions without a coded diagnosis have one row with an empty code.
        rows.filter(row -> !row.get(codeColumn).isBlank()).forEach(row -> {
            String code = interned.computeIfAbsent(row.get(codeColumn), system::canonical);
            codes.computeIfAbsent(normalizeId(row.get(idColumn)), id -> new ArrayList<>())
                    .add(code);
        });
    }
}
