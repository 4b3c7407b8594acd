package org.plant4j.cli.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.plant4j.MetricNames;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;

/** The table of runs with their main metrics, one row per run. */
public record RunTable(List<RunResult> results) {

    public RunTable {
        results = List.copyOf(results);
    }

    public ReportTable table() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("run"));
        RunResult.SHOWN.forEach(metric -> columns.add(Column.highestPercent(metric)));
        columns.add(Column.highestPercent("rare"));
        columns.add(Column.number("distinct labels", 0));
        columns.add(Column.number("train s", 0));
        ReportTable table = new ReportTable(columns, List.of());
        for (RunResult result : results) {
            List<Object> row = new ArrayList<>();
            row.add(result.run());
            RunResult.SHOWN.forEach(metric -> row.add(result.evaluation().metric(metric)));
            row.add(result.rareMicroF1());
            row.add(result.evaluation().metric(MetricNames.PREDICTED_LABELS));
            row.add(result.trainSeconds());
            table = table.row(row.toArray());
        }
        return table;
    }

    /** Explains the columns, one sentence per line. */
    public List<String> caption() {
        List<String> caption = new ArrayList<>();
        caption.add("In percent, on "
                + results.stream()
                        .map(result -> result.evaluation().documents() + " " + result.split() + " documents")
                        .distinct()
                        .collect(Collectors.joining(" or "))
                + ". distinct labels: number of labels predicted at least once.");
        results.stream()
                .flatMap(result -> result.rareBucket().stream())
                .findFirst()
                .ifPresent(bucket -> caption.add("rare: micro-F1 of labels with " + bucket + " training documents."));
        return caption;
    }

    /** Mean and standard deviation over the seeds of each experiment, or over its folds. */
    static ReportTable spread(Map<String, List<RunResult>> byExperiment, String repetition) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("mean ± std"));
        byExperiment.forEach(
                (name, results) -> columns.add(Column.text(name + " (" + results.size() + " " + repetition + ")")));
        ReportTable table = new ReportTable(columns, List.of());
        for (String metric : RunResult.SHOWN) {
            table = table.row(row(
                    byExperiment, metric, percent(result -> result.evaluation().metric(metric))));
        }
        return table.row(row(byExperiment, "rare", percent(RunResult::rareMicroF1)))
                .row(row(
                        byExperiment,
                        "distinct labels",
                        result -> result.evaluation().metric(MetricNames.PREDICTED_LABELS)));
    }

    private static ToDoubleFunction<RunResult> percent(ToDoubleFunction<RunResult> fraction) {
        return result -> 100 * fraction.applyAsDouble(result);
    }

    private static Object[] row(
            Map<String, List<RunResult>> byExperiment, String name, ToDoubleFunction<RunResult> metric) {
        return Stream.concat(
                        Stream.of(name),
                        byExperiment.values().stream()
                                .map(results -> Spread.of(results, metric).toString()))
                .toArray();
    }

    /** Mean and sample standard deviation, which is 0 for a single value. */
    record Spread(double mean, double deviation) {

        static Spread of(List<RunResult> results, ToDoubleFunction<RunResult> metric) {
            double[] values = results.stream().mapToDouble(metric).toArray();
            double mean = Arrays.stream(values).average().orElse(Double.NaN);
            double squares = Arrays.stream(values)
                    .map(value -> (value - mean) * (value - mean))
                    .sum();
            return new Spread(mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
        }

        @Override
        public String toString() {
            return Double.isFinite(mean) ? String.format(Locale.ROOT, "%.2f ± %.2f", mean, deviation) : "–";
        }
    }
}
