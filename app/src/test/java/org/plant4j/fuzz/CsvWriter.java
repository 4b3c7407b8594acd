package org.plant4j.fuzz;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes a table as CSV in one of the many ways that mean the same: order of columns, quotes and line ends. */
final class CsvWriter {

    private CsvWriter() {}

    static String write(List<String> columns, List<List<String>> rows, FuzzInput input) {
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, columns.size()).boxed().toList());
        if (input.chance(0.5)) {
            Collections.shuffle(order, input.random());
        }
        double quotes = input.pick(0.0, 0.3, 1.0);
        String lineEnd = input.pick("\n", "\r\n");
        StringBuilder out = new StringBuilder(input.chance(0.1) ? "\uFEFF" : "");
        boolean upperCase = input.chance(0.2);
        List<String> header = columns.stream()
                .map(name -> upperCase ? name.toUpperCase(Locale.ROOT) : name)
                .toList();
        out.append(row(header, order, quotes, input)).append(lineEnd);
        for (List<String> row : rows) {
            out.append(row(row, order, quotes, input)).append(lineEnd).append(input.chance(0.05) ? lineEnd : "");
        }
        return out.toString();
    }

    private static String row(List<String> fields, List<Integer> order, double quotes, FuzzInput input) {
        return order.stream().map(i -> field(fields.get(i), quotes, input)).collect(Collectors.joining(","));
    }

    private static String field(String value, double quotes, FuzzInput input) {
        boolean needed = value.chars().anyMatch(c -> ",\"\r\n".indexOf(c) >= 0);
        return needed || input.chance(quotes) ? "\"" + value.replace("\"", "\"\"") + "\"" : value;
    }
}
