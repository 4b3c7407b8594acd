package org.plant4j.inspection;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;

/** A sample of the rows of a table by column; JSON values keep their types, those of CSV files are texts. */
record SampleTable(Map<String, List<JsonNode>> columns, char delimiter, Charset encoding) {

    /** Enough to compare delimiters. */
    private static final int FIRST_ROWS = 1000;

    private static final List<Character> DELIMITERS = List.of(',', ';', '\t', '|');
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Windows' extension of Latin-1, which also decodes plain Latin-1 texts. */
    private static final Charset LATIN = Charset.forName("windows-1252");

    static SampleTable ofCsv(Path file) {
        Charset encoding = encoding(file);
        SampleTable best = null;
        for (char delimiter : DELIMITERS) {
            SampleTable table = readCsv(file, delimiter, encoding, FIRST_ROWS);
            if (best == null || table.columns.size() > best.columns.size()) {
                best = table;
            }
        }
        if (best == null || best.columns.size() < 2) {
            boolean header = DELIMITERS.stream().anyMatch(delimiter -> headerColumns(file, delimiter, encoding) > 1);
            throw new UserError(
                    header ? "No row fits the header, or there are no rows" : "The file has one column only",
                    file.toString(),
                    "separate text and codes by commas, semicolons or tabs, with a header row");
        }
        return readCsv(file, best.delimiter, encoding, Long.MAX_VALUE);
    }

    private static int headerColumns(Path file, char delimiter, Charset encoding) {
        try (DelimitedFile rows = DelimitedFile.open(file, delimiter, encoding, BadRowHandler.skip())) {
            return rows.columns().size();
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    private static SampleTable readCsv(Path file, char delimiter, Charset encoding, long rowsToRead) {
        RowSample sample = new RowSample(List.of());
        boolean opened = false;
        try (DelimitedFile rows = DelimitedFile.open(file, delimiter, encoding, BadRowHandler.skip())) {
            opened = true;
            List<String> names = rows.columns();
            sample = new RowSample(names);
            for (long i = 0; i < rowsToRead && rows.hasNext(); i++) {
                sample.add(byName(names, rows.next().fields()));
            }
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        } catch (UserError e) {
            if (!opened || rowsToRead == Long.MAX_VALUE) {
                throw e;
            }
            // Quotes that do not fit this delimiter: the rows so far are enough to compare it with the others.
        }
        // With a wrong delimiter most rows have another width than the header, and none is left.
        Map<String, List<JsonNode>> columns = sample.byColumn();
        boolean empty = columns.values().stream().allMatch(List::isEmpty);
        return new SampleTable(empty ? Map.of() : columns, delimiter, encoding);
    }

    private static Map<String, JsonNode> byName(List<String> names, List<String> fields) {
        Map<String, JsonNode> row = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            row.put(names.get(i), JsonNodeFactory.instance.textNode(fields.get(i)));
        }
        return row;
    }

    static SampleTable ofJsonLines(Path file) {
        Charset encoding = encoding(file);
        RowSample sample = new RowSample(List.of());
        BadRowHandler badRows = BadRowHandler.skip();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, encoding, badRows)) {
            lines.flatMap(line -> badRows.tryRead(() -> parse(line)).stream()).forEach(object -> {
                Map<String, JsonNode> row = new LinkedHashMap<>();
                object.properties().forEach(field -> row.put(field.getKey(), field.getValue()));
                sample.add(row);
            });
        }
        Map<String, List<JsonNode>> columns = sample.byColumn();
        if (columns.isEmpty()) {
            throw badRows.first()
                    .orElseGet(() -> new UserError(
                            "The file has no documents", file.toString(), "write one JSON object per line"));
        }
        return new SampleTable(columns, ',', encoding);
    }

    private static JsonNode parse(TextFiles.Line line) {
        try {
            return JSON.readTree(line.text());
        } catch (JsonProcessingException e) {
            throw new UserError("Not valid JSON", line.where(), "write one object {…} per line");
        }
    }

    /** UTF-8, unless a byte is malformed in it. */
    private static Charset encoding(Path file) {
        try (Reader reader = TextFiles.reader(file)) {
            char[] buffer = new char[1 << 14];
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
                for (int i = 0; i < n; i++) {
                    // The reader marks malformed bytes as lone low surrogates, of which only these stand for bytes.
                    if (buffer[i] >= '\uDC80'
                            && buffer[i] <= '\uDCFF'
                            && (i == 0 || !Character.isHighSurrogate(buffer[i - 1]))) {
                        return LATIN;
                    }
                }
            }
            return StandardCharsets.UTF_8;
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        }
    }

    /** The values of a column; none if there is no such column. */
    List<JsonNode> values(String column) {
        return columns.getOrDefault(column, List.of());
    }

    /** The values of a column as texts; arrays and objects as JSON. */
    List<String> texts(String column) {
        return values(column).stream()
                .map(value -> value.isValueNode() ? value.asText("") : value.toString())
                .toList();
    }

    int rows() {
        return columns.values().stream().mapToInt(List::size).max().orElse(0);
    }
}
