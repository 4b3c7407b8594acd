package org.plant4j.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Column;

/** Runs side by side, a line each. */
record RunTable(List<RunResult> results) {

    RunTable {
        results = List.copyOf(results);
    }

    Table table() {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("run"));
        RunResult.SHOWN.forEach(metric -> columns.add(Column.highest(metric, 1)));
        columns.add(Column.highest("rare", 1));
        columns.add(Column.number("codes", 0));
        columns.add(Column.number("train s", 0));
        Table table = new Table(columns, List.of());
        for (RunResult result : results) {
            List<Object> row = new ArrayList<>();
            row.add(result.run());
            RunResult.SHOWN.forEach(metric -> row.add(100 * result.evaluation().metric(metric)));
            row.add(100 * result.rare());
            row.add(result.evaluation().metric(Metrics.PREDICTED_LABELS));
            row.add(result.trainSeconds());
            table = table.row(row.toArray());
        }
        return table;
    }

    /** What the table's numbers are, in one sentence. */
    String caption() {
        String parts = results.stream()
                .map(result -> result.evaluation().documents() + " " + result.part() + " documents")
                .distinct()
                .collect(Collectors.joining(" or "));
        String rare = results.stream()
                .flatMap(result -> result.rareBucket().stream())
                .distinct()
                .map(bucket -> "; rare: micro-F1 of codes with " + bucket + " training documents")
                .findFirst()
                .orElse("");
        return "On " + parts + ", in percent" + rare + "; codes: distinct ones predicted.";
    }

    /** Mean ± standard deviation over the seeds of each experiment. */
    static Table spread(Map<String, List<RunResult>> byExperiment) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.text("mean ± deviation"));
        RunResult.SHOWN.forEach(metric -> columns.add(Column.text(metric)));
        columns.add(Column.text("rare"));
        columns.add(Column.number("seeds", 0));
        Table table = new Table(columns, List.of());
        for (Map.Entry<String, List<RunResult>> entry : byExperiment.entrySet()) {
            List<Object> row = new ArrayList<>();
            row.add(entry.getKey());
            for (String metric : RunResult.SHOWN) {
                row.add(Spread.of(
                                entry.getValue(), result -> result.evaluation().metric(metric))
                        .percent());
            }
            row.add(Spread.of(entry.getValue(), RunResult::rare).percent());
            row.add(entry.getValue().size());
            table = table.row(row.toArray());
        }
        return table;
    }

    /** Mean and sample standard deviation; the latter is 0 for one value. */
    record Spread(double mean, double deviation) {

        static Spread of(List<RunResult> results, ToDoubleFunction<RunResult> metric) {
            double[] values = results.stream().mapToDouble(metric).toArray();
            double mean = java.util.Arrays.stream(values).average().orElse(Double.NaN);
            double squares = java.util.Arrays.stream(values)
                    .map(value -> (value - mean) * (value - mean))
                    .sum();
            return new Spread(mean, values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1)));
        }

        String percent() {
            return Double.isFinite(mean) ? String.format(Locale.ROOT, "%.1f ± %.1f", 100 * mean, 100 * deviation) : "–";
        }
    }
}
