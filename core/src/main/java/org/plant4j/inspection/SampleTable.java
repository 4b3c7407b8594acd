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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.DelimitedFile;
import org.plant4j.corpus.file.TextFiles;

/** The first rows of a table by column; JSON values keep their types, those of CSV files are texts. */
record SampleTable(Map<String, List<JsonNode>> columns, char delimiter, Charset encoding) {

    private static final int MAX_ROWS = 2000;
    private static final List<Character> DELIMITERS = List.of(',', ';', '\t', '|');
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Windows' extension of Latin-1, which also decodes plain Latin-1 texts. */
    private static final Charset LATIN = Charset.forName("windows-1252");

    static SampleTable ofCsv(Path file) {
        Charset encoding = encoding(file);
        SampleTable best = null;
        for (char delimiter : DELIMITERS) {
            SampleTable table = readCsv(file, delimiter, encoding);
            if (best == null || table.columns.size() > best.columns.size()) {
                best = table;
            }
        }
        if (best == null || best.columns.size() < 2) {
            throw new UserError(
                    "The file has one column only",
                    file.toString(),
                    "separate text and codes by commas, semicolons or tabs, with a header row");
        }
        return best;
    }

    private static SampleTable readCsv(Path file, char delimiter, Charset encoding) {
        Map<String, List<JsonNode>> columns = new LinkedHashMap<>();
        try (DelimitedFile rows = DelimitedFile.open(file, delimiter, encoding, BadRowHandler.skip())) {
            List<String> names = rows.columns();
            names.forEach(name -> columns.put(name, new ArrayList<>()));
            for (int i = 0; i < MAX_ROWS && rows.hasNext(); i++) {
                List<String> fields = rows.next().fields();
                for (int c = 0; c < names.size(); c++) {
                    List<JsonNode> values = columns.get(names.get(c));
                    if (values != null) {
                        values.add(JsonNodeFactory.instance.textNode(fields.get(c)));
                    }
                }
            }
        } catch (IOException e) {
            throw TextFiles.unreadable(file, e);
        } catch (UserError e) {
            if (columns.isEmpty()) {
                throw e;
            }
            // Quotes that do not fit this delimiter: the rows so far are enough to compare it with the others.
        }
        // With a wrong delimiter most rows have another width than the header, and none is left.
        boolean empty = columns.values().stream().allMatch(List::isEmpty);
        return new SampleTable(empty ? Map.of() : columns, delimiter, encoding);
    }

    static SampleTable ofJsonLines(Path file) {
        Charset encoding = encoding(file);
        Map<String, List<JsonNode>> columns = new LinkedHashMap<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, encoding, BadRowHandler.skip())) {
            lines.limit(MAX_ROWS).forEach(line -> {
                JsonNode object = parse(line);
                object.properties()
                        .forEach(field -> columns.computeIfAbsent(field.getKey(), name -> new ArrayList<>())
                                .add(field.getValue()));
            });
        }
        if (columns.isEmpty()) {
            throw new UserError("The file has no documents", file.toString(), "write one JSON object per line");
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
