package org.plant4j.results;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.MetricNames;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Cell;
import org.plant4j.report.ReportTable.Column;

/**
 * The generated tables of a page of benchmarks: speed from {@code bench}, where {@code plant bench compare} and {@code
 * bench/bert.py} write, and accuracy from {@code precision}, where {@code plant evaluate --json} writes.
 */
public final class BenchmarkPage {

    private static final Pattern GENERATED = Pattern.compile("(?s)(<!-- measurements -->\n).*(<!-- /measurements -->)");

    private BenchmarkPage() {}

    /** A Markdown page with the tables between its two comments {@code measurements} written again. */
    public static String update(String page, Path results) {
        Map<String, JsonNode> speed = MeasurementTables.readAll(results.resolve("bench"));
        String generated = comparisons(speed) + engines(speed) + accuracy(results.resolve("precision"));
        return GENERATED
                .matcher(page)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1) + generated + "\n" + match.group(2)));
    }

    /** An earlier build and this one, from files whose rows have a ratio. */
    private static String comparisons(Map<String, JsonNode> files) {
        ReportTable table = ReportTable.of(
                Column.text("file"),
                Column.text("row"),
                Column.text("version 0.1"),
                Column.number("ms", 0),
                Column.text("now"),
                Column.number("ms", 0),
                Column.number("times faster", 2));
        StringBuilder commands = new StringBuilder();
        for (Map.Entry<String, JsonNode> file : files.entrySet()) {
            List<Map.Entry<String, JsonNode>> rows = rowsWith("ratio", file.getValue());
            for (Map.Entry<String, JsonNode> row : rows) {
                JsonNode figures = row.getValue();
                table = table.row(
                        link(file.getKey()),
                        row.getKey(),
                        arithmetic(file.getValue().path("earlier").asText()),
                        number(figures, "earlier_median_ms"),
                        arithmetic(file.getValue().path("command").asText()),
                        number(figures, "present_median_ms"),
                        Cell.of(number(figures, "ratio"), number(figures, "low"), number(figures, "high")));
            }
            if (!rows.isEmpty()) {
                commands.append("# version 0.1: ")
                        .append(file.getValue().path("earlier").asText())
                        .append('\n')
                        .append(file.getValue().path("command").asText())
                        .append('\n');
            }
        }
        return section(
                "Against version 0.1",
                "Medians over the turns of `plant bench compare`; *times faster* with its 95 % confidence interval."
                        + " Version 0.1 has neither int8 nor shortlists.",
                table,
                commands.toString());
    }

    /** The precision of a command, and whether it scores a shortlist of the labels only. */
    private static String arithmetic(String command) {
        return option("precision", command).orElse("float32")
                + option("shortlist", command)
                        .map(size -> ", shortlist of " + size)
                        .orElse("");
    }

    private static Optional<String> option(String name, String command) {
        Matcher value = Pattern.compile("--" + name + "[= ](\\S+)").matcher(command);
        return value.find() ? Optional.of(value.group(1)) : Optional.empty();
    }

    /** Plant4j beside other engines, from files whose rows have a median of their own. */
    private static String engines(Map<String, JsonNode> files) {
        StringBuilder sections = new StringBuilder();
        for (Map.Entry<String, JsonNode> file : files.entrySet()) {
            ReportTable table = ReportTable.of(Column.text("engine"), Column.text("precision"), Column.lowest("ms", 0));
            for (Map.Entry<String, JsonNode> row : rowsWith("median_ms", file.getValue())) {
                JsonNode figures = row.getValue();
                table = table.row(
                        figures.path("engine").asText(),
                        figures.path("precision").asText(),
                        number(figures, "median_ms"));
            }
            sections.append(section(
                    file.getValue().path("title").asText(),
                    "Medians over the turns, all engines alternating: " + link(file.getKey()) + ".",
                    table,
                    file.getValue().path("command").asText() + "\n"));
        }
        return sections.toString();
    }

    /** MAP by precision, from files such as {@code laat@demo@int8.json}. */
    private static String accuracy(Path directory) {
        ReportTable table = ReportTable.of(
                Column.text("model"),
                Column.number("documents", 0),
                Column.percent("float32"),
                Column.percent("bfloat16"),
                Column.percent("int8"));
        Map<String, Map<String, JsonNode>> models = new TreeMap<>();
        if (Files.isDirectory(directory)) {
            MeasurementTables.readAll(directory)
                    .forEach((name, evaluations) -> models.computeIfAbsent(
                                    name.substring(0, name.lastIndexOf('@')), model -> new TreeMap<>())
                            .put(
                                    name.substring(name.lastIndexOf('@') + 1),
                                    evaluations.iterator().next()));
        }
        for (Map.Entry<String, Map<String, JsonNode>> model : models.entrySet()) {
            Map<String, JsonNode> precisions = model.getValue();
            table = table.row(
                    "`" + model.getKey() + "`",
                    number(precisions.values().iterator().next(), "documents"),
                    map(precisions, "float32"),
                    map(precisions, "bfloat16"),
                    map(precisions, "int8"));
        }
        return section(
                "Accuracy",
                "MAP on the dev documents of each corpus in percent, by precision:"
                        + " [`results/precision`](../results/precision).",
                table,
                """
                plant corpus export demo --split dev --output dev.jsonl
                plant evaluate runs/laat@demo --corpus dev.jsonl --device cpu --precision int8 --json > results/precision/laat@demo@int8.json
                """);
    }

    private static double map(Map<String, JsonNode> precisions, String precision) {
        return precisions.containsKey(precision)
                ? number(precisions.get(precision).path("metrics"), MetricNames.MAP)
                : Double.NaN;
    }

    /** The rows of a file that have a field. */
    private static List<Map.Entry<String, JsonNode>> rowsWith(String field, JsonNode file) {
        return file.path("rows")
                .propertyStream()
                .filter(row -> row.getValue().has(field))
                .toList();
    }

    private static double number(JsonNode node, String field) {
        return node.path(field).asDouble(Double.NaN);
    }

    private static String link(String file) {
        return "[`" + file + "`](../results/bench/" + file + ".json)";
    }

    /** Empty without rows. */
    private static String section(String title, String text, ReportTable table, String commands) {
        return table.rows().isEmpty()
                ? ""
                : "\n### " + title + "\n\n" + text + "\n\n" + table.toMarkdown() + "\n```\n" + commands + "```\n";
    }
}
