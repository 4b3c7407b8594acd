package org.plant4j.tuning;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.Evaluation;
import org.plant4j.MetricNames;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.support.AtomicFile;

/** Compares the trials of a search on dev: a table, a page with plots, and the settings of the best trial. */
public final class TuningReport {

    private static final int MARKER = 8;

    private final String name;
    private final SearchSpace space;
    private final String metric;
    private final List<Result> results;

    /** The dev metrics of a finished trial. */
    public record Result(Trial trial, String run, Evaluation dev, double seconds) {}

    /** {@code metric} decides which trial is best. */
    public TuningReport(String name, SearchSpace space, String metric, List<Result> results) {
        this.name = name;
        this.space = space;
        this.metric = metric;
        this.results = results.stream()
                .sorted(Comparator.comparing(result -> -result.dev().metric(metric))) // of equal ones, the first
                .toList();
    }

    public Result best() {
        return results.get(0);
    }

    /** The trials, best first. */
    public ReportTable table() {
        List<Column> columns = new ArrayList<>();
        space.parameters().forEach(parameter -> columns.add(Column.text(parameter.key())));
        metrics().forEach(shown -> columns.add(Column.highestPercent(shown)));
        columns.add(Column.number("train s", 0));
        columns.add(Column.text("run"));
        ReportTable table = new ReportTable(columns, List.of());
        for (Result result : results) {
            List<Object> row = new ArrayList<>();
            space.parameters().forEach(parameter -> row.add(result.trial().value(parameter.key())));
            metrics().forEach(shown -> row.add(result.dev().metric(shown)));
            row.add(result.seconds());
            row.add(result.run());
            table = table.row(row.toArray());
        }
        return table;
    }

    private List<String> metrics() {
        return Stream.of(metric, MetricNames.MAP, MetricNames.MICRO_F1, MetricNames.MACRO_F1)
                .distinct()
                .toList();
    }

    /** One plot per setting that has numbers: the metric of each trial by the value. */
    private List<String> charts() {
        List<String> charts = new ArrayList<>();
        for (Parameter parameter : space.parameters()) {
            List<Result> numeric = results.stream()
                    .filter(result -> isNumber(result.trial().value(parameter.key())))
                    .toList();
            if (numeric.size() < 2) {
                continue;
            }
            double[] x = numeric.stream()
                    .mapToDouble(result -> Double.parseDouble(result.trial().value(parameter.key())))
                    .toArray();
            double[] y = numeric.stream()
                    .mapToDouble(result -> 100 * result.dev().metric(metric))
                    .toArray();
            LineChart chart =
                    LineChart.titled(parameter.key()).xLabel(parameter.key()).yLabel(metric + " (%)");
            double smallest = Arrays.stream(x).min().orElse(0);
            double largest = Arrays.stream(x).max().orElse(0);
            charts.add((smallest > 0 && largest / smallest >= 10 ? chart.logX() : chart)
                    .scatter("dev", x, y, MARKER)
                    .toSvg());
        }
        return charts;
    }

    private static boolean isNumber(String text) {
        return text.matches("[+-]?[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]+)?");
    }

    /** The settings of the best trial as options of {@code plant run}. */
    public String bestSettings() {
        return best().trial().settings().stream()
                .map(setting -> "--set " + setting)
                .collect(Collectors.joining(" "));
    }

    /** Writes {@code report.html} and {@code trials.tsv}. */
    public Path write(Path directory, String command) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String html = ReportPage.titled("Search: " + name)
                .lead("Which settings score highest on dev?")
                .facts(Map.of("trials", String.valueOf(results.size()), "selected by", metric + " on dev"))
                .section("Trials")
                .table("In percent, on " + best().dev().documents() + " dev documents, best first", table())
                .paragraphs("Best: " + bestSettings() + ". The highest of many scores on one dev set is too optimistic;"
                        + " the test score of the chosen run is not.")
                .section("Plots")
                .charts(charts().toArray(String[]::new))
                .provenance(Map.of("command", command))
                .toHtml();
        Path page = directory.resolve("report.html");
        AtomicFile.write(page, draft -> Files.writeString(draft, html));
        AtomicFile.write(directory.resolve("trials.tsv"), draft -> Files.write(draft, tsv()));
        return page;
    }

    private List<String> tsv() {
        List<String> lines = new ArrayList<>();
        lines.add("run\t" + space.parameters().stream().map(Parameter::key).collect(Collectors.joining("\t")) + "\t"
                + String.join("\t", metrics()));
        for (Result result : results) {
            lines.add(result.run() + "\t"
                    + space.parameters().stream()
                            .map(parameter -> result.trial().value(parameter.key()))
                            .collect(Collectors.joining("\t"))
                    + "\t"
                    + metrics().stream()
                            .map(shown -> String.valueOf(result.dev().metric(shown)))
                            .collect(Collectors.joining("\t")));
        }
        return lines;
    }
}
