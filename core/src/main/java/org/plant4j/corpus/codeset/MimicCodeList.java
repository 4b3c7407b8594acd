package org.plant4j.corpus.codeset;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.corpus.codeset.CodeSet.Entry;
import org.plant4j.corpus.file.DelimitedFile;

/**
 * The code lists of MIMIC: {@code D_ICD_DIAGNOSES} and {@code D_ICD_PROCEDURES}. Their columns are the same, so that the name of
 * the file tells diagnoses from procedures. In MIMIC-IV a column has the version of ICD; of equal codes the first is read.
 */
final class MimicCodeList {

    private static final List<String> CODE_COLUMNS = List.of("icd9_code", "icd_code");
    private static final String TITLE = "long_title";

    private MimicCodeList() {}

    /** The column with codes, if these are the columns of such a list. */
    private static Optional<String> codeColumn(List<String> columns) {
        return columns.stream().anyMatch(TITLE::equalsIgnoreCase)
                ? CODE_COLUMNS.stream()
                        .filter(code -> columns.stream().anyMatch(code::equalsIgnoreCase))
                        .findFirst()
                : Optional.empty();
    }

    /** The entries of a list; empty if these are the columns of another one. */
    static Optional<Collection<Entry>> read(Path file, List<String> columns) {
        return codeColumn(columns).map(code -> read(file, code));
    }

    private static Collection<Entry> read(Path file, String codeColumn) {
        boolean procedures =
                String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT).contains("procedures");
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (Stream<DelimitedFile.Row> rows = DelimitedFile.openCodeList(file, ',', codeColumn, TITLE).stream()) {
            rows.forEach(row -> {
                String code = system(row, procedures).canonical(row.get(codeColumn));
                String title = row.get(TITLE).strip().replaceAll("\\s+", " ");
                entries.putIfAbsent(code, new Entry(code, title, Optional.empty(), true));
            });
        }
        return entries.values();
    }

    private static CodeSystem system(DelimitedFile.Row row, boolean procedures) {
        return row.find("icd_version").map(String::strip).orElse("9").equals("10")
                ? procedures ? CodeSystem.ICD_10_PCS : CodeSystem.ICD_10_CM
                : procedures ? CodeSystem.ICD_9_PROCEDURE : CodeSystem.ICD_9_CM;
    }
}
