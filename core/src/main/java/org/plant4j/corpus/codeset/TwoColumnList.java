package org.plant4j.corpus.codeset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSet.Entry;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;

/**
 * A file with a code and its description per row, separated by a tab, a comma or a semicolon, with or without a header.
 * Codes are kept as written, and all are valid.
 */
final class TwoColumnList {

    private static final List<Character> SEPARATORS = List.of('\t', ',', ';');

    private static final Set<String> CODE_HEADERS =
            Set.of("code", "codes", "icd", "icd_code", "id", "key", "notation", "codigo", "código", "kode", "label");

    private static final Set<String> DESCRIPTION_HEADERS = Set.of(
            "description", "label", "title", "name", "text", "term", "descripcion", "descripción", "bezeichnung");

    private final Path file;
    private final char separator;

    private TwoColumnList(Path file, char separator) {
        this.file = file;
        this.separator = separator;
    }

    /** The list in a file, if the first row has two columns. */
    static Optional<TwoColumnList> open(Path file) {
        return SEPARATORS.stream()
                .map(separator -> new TwoColumnList(file, separator))
                .filter(list -> list.firstRow().size() == 2)
                .findFirst();
    }

    private List<String> firstRow() {
        try (DelimitedFile rows = DelimitedFile.openCodeList(file, separator)) {
            return rows.columns();
        } catch (UserError e) {
            if (e.getCause() instanceof RuntimeException) {
                return List.of(); // quoted columns with another separator
            }
            throw e;
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    Collection<Entry> read(BadRowHandler badRows) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        try (DelimitedFile rows = DelimitedFile.openCodeList(file, separator, badRows)) {
            List<String> first = rows.columns();
            boolean swapped = DESCRIPTION_HEADERS.contains(lower(first.get(0))) && isCodeHeader(first.get(1));
            boolean header = swapped || isCodeHeader(first.get(0)) || DESCRIPTION_HEADERS.contains(lower(first.get(1)));
            if (!header) {
                badRows.tryRead(() -> {
                    add(entries, first, false, file + ":1");
                    return first;
                });
            }
            rows.forEachRemaining(row -> badRows.tryRead(() -> {
                add(entries, row.fields(), swapped, row.where());
                return row;
            }));
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
        return entries.values();
    }

    private static boolean isCodeHeader(String name) {
        return CODE_HEADERS.contains(lower(name)) || lower(name).matches("icd[-_ ]?\\d+(cm|pcs|gm)?([-_ ]?code)?");
    }

    private static String lower(String name) {
        return name.strip().toLowerCase(Locale.ROOT);
    }

    private static void add(Map<String, Entry> entries, List<String> fields, boolean swapped, String where) {
        String code = fields.get(swapped ? 1 : 0).strip();
        String description = fields.get(swapped ? 0 : 1).strip().replaceAll("\\s+", " ");
        if (code.isEmpty() || description.isEmpty()) {
            throw new UserError(
                    "The row has no " + (code.isEmpty() ? "code" : "description"), where, "add it, or remove the row");
        }
        if (code.chars().anyMatch(c -> c == ';' || Character.isISOControl(c))) {
            throw new UserError(
                    "The code contains a tab or semicolon", where, "begin the file with the row code,description");
        }
        CodeSet.addEntry(entries, new Entry(code, description, Optional.empty(), true), where);
    }
}
