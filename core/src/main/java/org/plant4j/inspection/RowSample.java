package org.plant4j.inspection;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A sample of the rows of a whole file, since a sorted file does not show all it has in its first rows: the first rows, later
 * rows at equal distances, and every row with an empty value or another value of a column that has few, such as a split.
 */
final class RowSample {

    private static final int FIRST = 1000;
    private static final int MAX_SPACED = 1000;

    /** Columns with more distinct values are not categories. */
    private static final int MAX_CATEGORIES = 12;

    private final TreeMap<Long, Map<String, JsonNode>> kept = new TreeMap<>();
    private final TreeMap<Long, Map<String, JsonNode>> spaced = new TreeMap<>();
    private final Map<String, Set<String>> seen = new HashMap<>();
    private final Set<String> columns;
    private long rows;
    private long distance = 1;

    /** @param columns those known from a header, in order; others are added as rows have them */
    RowSample(List<String> columns) {
        this.columns = new LinkedHashSet<>(columns);
    }

    void add(Map<String, JsonNode> row) {
        columns.addAll(row.keySet());
        boolean hasNewValue = hasNewValue(row);
        if (rows < FIRST || hasNewValue) {
            kept.put(rows, row);
        } else if (rows % distance == 0) {
            spaced.put(rows, row);
            while (spaced.size() > MAX_SPACED) {
                distance *= 2;
                spaced.keySet().removeIf(number -> number % distance != 0);
            }
        }
        rows++;
    }

    private boolean hasNewValue(Map<String, JsonNode> row) {
        boolean found = false;
        for (Map.Entry<String, JsonNode> field : row.entrySet()) {
            Set<String> values = seen.computeIfAbsent(field.getKey(), name -> new HashSet<>());
            String value = category(field.getValue());
            if (value.isEmpty() || values.size() < MAX_CATEGORIES) {
                found |= values.add(value);
            }
        }
        return found;
    }

    /** An empty text for an empty value; arrays and objects with contents are one category. */
    private static String category(JsonNode value) {
        return value.isValueNode() ? value.asText("").strip() : value.isEmpty() ? "" : "[…]";
    }

    /** The values of each column in the order of the rows; a row without a column adds none. */
    Map<String, List<JsonNode>> byColumn() {
        TreeMap<Long, Map<String, JsonNode>> all = new TreeMap<>(spaced);
        all.putAll(kept);
        Map<String, List<JsonNode>> table = new LinkedHashMap<>();
        columns.forEach(name -> table.put(name, new ArrayList<>()));
        all.values()
                .forEach(row -> row.forEach((name, value) ->
                        table.getOrDefault(name, new ArrayList<>()).add(value)));
        return table;
    }
}
