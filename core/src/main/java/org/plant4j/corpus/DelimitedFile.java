package org.plant4j.corpus;

import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.DidYouMean;
import org.plant4j.support.UserError;

/** A delimited file with a header, read a row at a time; columns are found by name, whatever their case and order. */
public final class DelimitedFile extends StreamingReader<DelimitedFile.Row> {

    private final Path file;
    private final BadRowHandler badRows;
    private final Utf8Reader utf8;
    private final CloseableIterator<CsvRecord> records;
    private List<String> header = List.of();
    private final Map<String, Integer> columns = new LinkedHashMap<>();
    private long line = 1;

    private DelimitedFile(Path file, Utf8Reader utf8, char separator, BadRowHandler badRows) {
        this.file = file;
        this.badRows = badRows;
        this.utf8 = utf8;
        this.records = CsvReader.builder()
                .fieldSeparator(separator)
                .allowUnclosedQuote(false)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(utf8)
                .iterator();
    }

    /** Opens the file and checks that it has the columns; a row of another width or not in UTF-8 is a bad row. */
    public static DelimitedFile open(Path file, char separator, BadRowHandler badRows, String... required) {
        return checkHeader(new DelimitedFile(file, TextFiles.open(file), separator, badRows), required);
    }

    /** Opens an official list, which may be in Latin-1, and which has no bad rows. */
    public static DelimitedFile openCodeList(Path file, char separator, String... required) {
        Utf8Reader reader = TextFiles.open(file, Utf8Reader::withLatin1Fallback);
        return checkHeader(new DelimitedFile(file, reader, separator, BadRowHandler.fail()), required);
    }

    private static DelimitedFile checkHeader(DelimitedFile table, String... required) {
        try {
            table.readHeader();
            if (required.length > 0 && Arrays.stream(required).noneMatch(table::hasColumn)) {
                // Most likely a row of data, which may be a note: it is not shown.
                throw new UserError(
                        "The first row is no header: it names none of the columns " + String.join(", ", required),
                        TextFiles.where(table.file, 1),
                        "begin the file with a row of the columns' names");
            }
            for (String column : required) {
                table.require(column);
            }
            return table;
        } catch (UserError e) {
            try {
                table.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    public static Stream<Row> rows(Path file, char separator, BadRowHandler badRows, String... required) {
        return open(file, separator, badRows, required).stream();
    }

    public List<String> columns() {
        return header;
    }

    public boolean hasColumn(String column) {
        return columns.containsKey(column.toLowerCase(Locale.ROOT));
    }

    /** The columns for a message; where a file lacks its header the first row may hold a note, which is not shown. */
    public String describeHeader() {
        boolean names = header.stream().allMatch(name -> name.length() <= 40 && name.split("\\s+", -1).length <= 3);
        return names ? String.join(", ", header) : header.size() + " fields that do not look like a header";
    }

    private void require(String column) {
        if (!hasColumn(column)) {
            String meant = DidYouMean.closest(column, header)
                    .map(name -> "rename '" + name + "' to '" + column + "'")
                    .orElse("add the column '" + column + "' to the header");
            throw new UserError(
                    "Column '" + column + "' is missing; found: " + describeHeader(), TextFiles.where(file, 1), meant);
        }
    }

    private void readHeader() {
        CsvRecord first = nextRecord();
        if (first == null) {
            throw new UserError("The file is empty", file.toString(), "a header row with the columns' names is needed");
        }
        List<String> names = first.getFields().stream()
                .map(name -> TextFiles.stripByteOrderMark(name).strip())
                .toList();
        if (names.stream().anyMatch(name -> Utf8Reader.indexOfMalformed(name) >= 0)) {
            throw TextFiles.notUtf8(TextFiles.where(file, 1));
        }
        for (int i = 0; i < names.size(); i++) {
            columns.putIfAbsent(names.get(i).toLowerCase(Locale.ROOT), i);
        }
        header = names;
    }

    @Override
    @Nullable
    public Row readNext() {
        for (CsvRecord record = nextRecord(); record != null; record = nextRecord()) {
            String where = TextFiles.where(file, line);
            if (record.getFieldCount() != header.size()) {
                badRows.report(new UserError(
                        "The row has " + record.getFieldCount() + " fields, the header " + header.size(),
                        where,
                        "put text that holds separators, quotes or line ends in double quotes"));
            } else if (utf8.malformed()
                    && record.getFields().stream().anyMatch(field -> Utf8Reader.indexOfMalformed(field) >= 0)) {
                badRows.report(TextFiles.notUtf8(where));
            } else {
                return new Row(this, where, record.getFields());
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
            // Where one row ends and the next begins is lost, so this cannot be skipped as one bad row.
            throw new UserError(
                    "A row after this line cannot be parsed",
                    TextFiles.where(file, line),
                    "look for a double quote that is not doubled or not closed",
                    e);
        } catch (UncheckedIOException e) {
            throw TextFiles.unreadable(file, Objects.requireNonNull(e.getCause()));
        }
    }

    @Override
    public void close() throws IOException {
        records.close();
    }

    /** One row; its fields are asked for by column. */
    public record Row(DelimitedFile table, String where, List<String> fields) {

        public String get(String column) {
            return find(column).orElseThrow(() -> new IllegalArgumentException("column: " + column));
        }

        public Optional<String> find(String column) {
            return Optional.ofNullable(table.columns.get(column.toLowerCase(Locale.ROOT)))
                    .map(fields::get);
        }
    }
}
