package org.plant4j.corpus.file;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.support.DidYouMean;

/** A CSV or TSV file with a header, read row by row; columns are looked up by name, ignoring case and order. */
public final class DelimitedFile extends StreamingReader<DelimitedFile.Row> {

    private static final int MAX_NAMED = 100;

    private final Path file;
    private final BadRowHandler badRows;
    private final TextReader utf8;
    private final CloseableIterator<CsvRecord> records;
    private List<String> header = List.of();
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private long line = 1;

    private DelimitedFile(Path file, TextReader utf8, char separator, BadRowHandler badRows) {
        this.file = file;
        this.badRows = badRows;
        this.utf8 = utf8;
        this.records = CsvReader.builder()
                .fieldSeparator(separator)
                .allowUnclosedQuote(false)
                .maxBufferSize(TextFiles.MAX_LINE_LENGTH)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(utf8)
                .iterator();
    }

    /** Opens a file and checks the required columns; a row that has another width or is not UTF-8 is a bad row. */
    public static DelimitedFile open(Path file, char separator, BadRowHandler badRows, String... required) {
        return open(file, separator, StandardCharsets.UTF_8, badRows, required);
    }

    /** Opens a file in another encoding. */
    public static DelimitedFile open(
            Path file, char separator, Charset charset, BadRowHandler badRows, String... required) {
        TextReader reader = withoutMark(file, TextFiles.open(file, in -> new TextReader(in, charset)));
        return new DelimitedFile(file, reader, separator, badRows).checkHeader(required);
    }

    /** Opens an official code list, which may be in Latin-1; any bad row is an error. */
    public static DelimitedFile openCodeList(Path file, char separator, String... required) {
        return openCodeList(file, separator, BadRowHandler.fail(), required);
    }

    /** Opens an official code list, which may be in Latin-1. */
    public static DelimitedFile openCodeList(Path file, char separator, BadRowHandler badRows, String... required) {
        TextReader reader = withoutMark(file, TextFiles.open(file, TextReader::withLatin1Fallback));
        return new DelimitedFile(file, reader, separator, badRows).checkHeader(required);
    }

    /** Skips the byte order mark here and not in the header, since a quoted column name must begin with its quote. */
    private static TextReader withoutMark(Path file, TextReader reader) {
        try {
            return reader.withoutByteOrderMark();
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private DelimitedFile checkHeader(String... required) {
        return closingOnError(() -> {
            readHeader();
            if (required.length > 0 && Arrays.stream(required).noneMatch(this::hasColumn)) {
                // Most likely a row of data: do not show it, as it may contain document text.
                throw new UserError(
                        "The first row is not a header: it has none of the columns " + String.join(", ", required),
                        TextFiles.where(file, 1),
                        "add a header row with the column names");
            }
            for (String column : required) {
                requireColumn(column);
            }
            if (required.length > 0) {
                requireUniqueColumns();
            }
        });
    }

    /** Checks that an optional column, if it is absent, does not exist under a misspelt name. */
    public DelimitedFile withOptionalColumn(String column) {
        return closingOnError(() -> {
            if (DidYouMean.closest(column, header).isPresent()) {
                requireColumn(column);
            }
        });
    }

    private DelimitedFile closingOnError(Runnable check) {
        try {
            check.run();
            return this;
        } catch (UserError e) {
            try {
                close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    /** Streams the rows of a file; see {@link #open}. */
    public static Stream<Row> rows(Path file, char separator, BadRowHandler badRows, String... required) {
        return open(file, separator, badRows, required).stream();
    }

    public List<String> columns() {
        return header;
    }

    public boolean hasColumn(String column) {
        return columns.containsKey(column.toLowerCase(Locale.ROOT));
    }

    /** The column names for an error message, unless the row looks like data, which may contain document text. */
    public String describeHeader() {
        return describe(header);
    }

    public static String describe(List<String> header) {
        boolean names = header.size() <= MAX_NAMED
                && header.stream().allMatch(name -> name.length() <= 40 && name.split("\\s+", -1).length <= 3);
        return names ? String.join(", ", header) : header.size() + " fields that do not look like column names";
    }

    private void requireColumn(String column) {
        if (!hasColumn(column)) {
            String remedy = DidYouMean.closest(column, header)
                    .map(name -> "rename '" + name + "' to '" + column + "'")
                    .orElse("add the column '" + column + "' to the header");
            throw new UserError(
                    "Column '" + column + "' is missing; found: " + describeHeader(), TextFiles.where(file, 1), remedy);
        }
    }

    /** Two columns of one name: the reader cannot know which one is meant. */
    private void requireUniqueColumns() {
        Set<String> seen = new HashSet<>();
        for (String name : header) {
            if (!name.isEmpty() && !seen.add(name.toLowerCase(Locale.ROOT))) {
                throw new UserError(
                        "Two columns have the name '" + name + "'",
                        TextFiles.where(file, 1),
                        "rename or remove one of them; upper and lower case count as the same");
            }
        }
    }

    private void readHeader() {
        CsvRecord first = nextRecord();
        if (first == null) {
            throw new UserError("The file is empty", file.toString(), "add a header row with the column names");
        }
        List<String> names = first.getFields().stream().map(String::strip).toList();
        if (names.stream().anyMatch(name -> TextReader.indexOfMalformed(name) >= 0)) {
            throw TextFiles.notUtf8(TextFiles.where(file, 1));
        }
        if (names.stream().anyMatch(name -> name.indexOf('\0') >= 0)) {
            throw TextFiles.binary(TextFiles.where(file, 1));
        }
        for (int i = 0; i < names.size(); i++) {
            columns.putIfAbsent(names.get(i).toLowerCase(Locale.ROOT), i);
        }
        header = names;
    }

    @Override
    protected @Nullable Row readNext() {
        for (CsvRecord record = nextRecord(); record != null; record = nextRecord()) {
            String where = TextFiles.where(file, line);
            if (record.getFieldCount() != header.size()) {
                badRows.report(new UserError(
                        "The row has " + record.getFieldCount() + " fields, the header has " + header.size(),
                        where,
                        "enclose text with separators, quotes or line breaks in double quotes"));
            } else if (utf8.malformed()
                    && record.getFields().stream().anyMatch(field -> TextReader.indexOfMalformed(field) >= 0)) {
                badRows.report(TextFiles.notUtf8(where));
            } else if (record.getFields().stream().anyMatch(field -> field.indexOf('\0') >= 0)) {
                badRows.report(TextFiles.binary(where));
            } else {
                return new Row(this, line, record.getFields());
            }
        }
        return null;
    }

    private @Nullable CsvRecord nextRecord() {
        try {
            if (!records.hasNext()) {
                return null;
            }
            CsvRecord record = records.next();
            line = record.getStartingLineNumber();
            return record;
        } catch (CsvParseException e) {
            // The parser cannot find the start of the next row, so this is not a bad row that can be skipped.
            throw new UserError(
                    "A row after this line cannot be parsed",
                    TextFiles.where(file, line),
                    "check for a double quote that is not closed or not escaped by doubling it",
                    e);
        } catch (UncheckedIOException e) {
            throw TextFiles.unreadable(file, Objects.requireNonNull(e.getCause()));
        }
    }

    @Override
    public void close() throws IOException {
        records.close();
    }

    /** A row, with fields by column name. */
    public record Row(DelimitedFile source, long line, List<String> fields) {

        /** File and line number for error messages. */
        public String where() {
            return TextFiles.where(source.file, line);
        }

        public String get(String column) {
            return find(column).orElseThrow(() -> new IllegalArgumentException("no column " + column));
        }

        public Optional<String> find(String column) {
            return Optional.ofNullable(source.columns.get(column.toLowerCase(Locale.ROOT)))
                    .map(fields::get);
        }
    }
}
