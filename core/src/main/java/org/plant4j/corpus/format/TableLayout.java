package org.plant4j.corpus.format;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.support.DidYouMean;

/**
 * How the documents of a CSV or JSON Lines file are laid out: the names of columns or fields that differ from the default,
 * the delimiter between columns, and the encoding.
 *
 * @param subsets the values of the split column that the config assigns to train, dev and test
 */
record TableLayout(Map<String, String> columns, Optional<Character> delimiter, Charset encoding, List<String> subsets) {

    static final String ID = "id";
    static final String TEXT = "text";
    static final String CODES = "codes";
    static final String EVIDENCE = "evidence";

    /** Documents of one group are in the same split. */
    static final String GROUP = "group";

    /** The column whose values are the names of subsets. */
    static final String SPLIT = "split";

    static final List<String> COLUMNS = List.of(ID, TEXT, CODES, EVIDENCE, GROUP, SPLIT);

    static final TableLayout DEFAULT = new TableLayout(Map.of(), Optional.empty(), StandardCharsets.UTF_8, List.of());

    private static final char TAB = '\t';

    static TableLayout of(FormatOptions options) {
        return new TableLayout(
                options.columns(),
                options.delimiter().map(TableLayout::parseDelimiter),
                options.find("encoding").map(TableLayout::parseEncoding).orElse(StandardCharsets.UTF_8),
                options.subsets());
    }

    static void checkColumns(Map<String, String> columns) {
        columns.forEach((name, column) -> {
            if (!COLUMNS.contains(name)) {
                throw new UserError("Unknown column '" + name + "'", "columns", DidYouMean.remedy(name, COLUMNS));
            }
            if (column.isBlank()) {
                throw new UserError(
                        "The column for '" + name + "' has no name", "columns." + name, "name it, or remove the line");
            }
        });
    }

    static char parseDelimiter(String text) {
        if (text.equalsIgnoreCase("tab") || text.equals("\\t")) {
            return TAB;
        }
        if (text.length() != 1 || Character.isLetterOrDigit(text.charAt(0)) || text.equals("\"")) {
            throw new UserError(
                    "Invalid delimiter '" + text + "'", "delimiter", "give one character, such as \";\", or tab");
        }
        return text.charAt(0);
    }

    private static Charset parseEncoding(String name) {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw FormatOptions.invalid("encoding", name, "an encoding such as utf-8, windows-1252 or iso-8859-1");
        }
    }

    /** The column that a document's id, text or codes are in. */
    String column(String name) {
        return columns.getOrDefault(name, name);
    }

    boolean names(String name) {
        return columns.containsKey(name);
    }

    /** The delimiter of a file: that of the config, or else a tab for {@code .tsv} and a comma for all others. */
    char delimiter(Path file) {
        return delimiter.orElseGet(() -> TextFiles.stem(file, ".tsv").isPresent()
                        || TextFiles.stem(file, ".tab").isPresent()
                ? TAB
                : ',');
    }

    /**
     * The id of a document without one: the name of the file and the line. Files that differ only in their directory or
     * suffix, such as {@code a/notes.csv} and {@code b/notes.csv}, are named as in the config.
     */
    String lineId(Path file, long line) {
        List<String> sameStem = subsets.stream()
                .distinct()
                .filter(subset -> stem(Path.of(subset)).equals(stem(file)))
                .toList();
        String name = sameStem.size() < 2
                ? stem(file)
                : sameStem.stream().filter(file::endsWith).findFirst().orElse(file.toString());
        return name + "-" + line;
    }

    /** The file name up to its first dot. */
    private static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.indexOf('.');
        return dot < 1 ? name : name.substring(0, dot);
    }
}
