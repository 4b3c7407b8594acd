package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.eval.Chart;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;

/** How much each variant makes of few training documents (the paper's figure 3). */
record LowShot(Runs runs) implements Analysis {

    private static final List<String> METRICS = List.of("P@5", "P@15", Metrics.MAP);

    @Override
    public String question() {
        return "What does each variant make of few training documents?";
    }

    private List<Integer> sizes() {
        return runs.study().sizes().stream()
                .sorted((a, b) -> Long.compare(runs.documents(runs.first(), a), runs.documents(runs.first(), b)))
                .toList();
    }

    @Override
    public Table table() {
        List<Table.Column> columns = new ArrayList<>();
        columns.add(Table.Column.number("documents", 0));
        columns.add(Table.Column.text("variant"));
        METRICS.forEach(metric -> {
            columns.add(Table.Column.number(metric, 4));
            columns.add(Table.Column.text("p"));
        });
        Table table = new Table(columns, List.of());
        for (int size : sizes()) {
            for (String variant : runs.variants()) {
                Optional<Comparison> against = runs.comparison(variant, size);
                List<Object> row = new ArrayList<>();
                row.add(runs.documents(variant, size));
                row.add(variant);
                for (String metric : METRICS) {
                    row.add(Cells.of(runs.spread(variant, size, metric)));
                    row.add(Cells.p(against.map(comparison -> comparison.row(metric))));
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            for (int size : sizes()) {
                for (String metric : METRICS) {
                    for (Study.Cell cell : runs.of(variant, size)) {
                        double value = runs.evaluation(cell).metric(metric);
                        results.add(
                                Result.of(variant, runs.documents(cell), Optional.empty(), cell.seed(), metric, value));
                    }
                    Result all = Result.of(
                            variant,
                            runs.documents(variant, size),
                            Optional.empty(),
                            metric,
                            runs.spread(variant, size, metric));
                    results.add(all.against(runs.comparison(variant, size).map(c -> c.row(metric))));
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Curves").charts(METRICS.stream().map(this::chart).toArray(String[]::new));
        page.section("Numbers")
                .table(runs.caption(), table())
                .prose("p: against " + runs.first() + " on as many documents, by approximate randomization over "
                        + "documents; where a document changes sides, its results of all seeds do.");
        if (runs.variants().size() > 1) {
            page.section("Documents for the same result")
                    .table(needs())
                    .prose("By a straight line on the curve of " + runs.first()
                            + ", documents on a logarithmic scale.");
        }
    }

    private double[] documents(String variant) {
        return sizes().stream()
                .mapToDouble(size -> runs.documents(variant, size))
                .toArray();
    }

    private String chart(String metric) {
        Chart chart = Chart.titled(metric + " by training documents")
                .x("training documents")
                .y(metric)
                .logX();
        for (String variant : runs.variants()) {
            List<Spread> spreads = sizes().stream()
                    .map(size -> runs.spread(variant, size, metric))
                    .toList();
            chart.line(
                    variant,
                    documents(variant),
                    spreads.stream().mapToDouble(Spread::mean).toArray(),
                    spreads.stream().mapToDouble(Cells::low).toArray(),
                    spreads.stream().mapToDouble(Spread::high).toArray());
        }
        return chart.toSvg();
    }

    /** How many documents the first variant needs for what another reaches with fewer. */
    private Table needs() {
        List<Table.Column> columns =
                new ArrayList<>(List.of(Table.Column.text("variant"), Table.Column.number("documents", 0)));
        METRICS.forEach(metric -> columns.add(Table.Column.text(runs.first() + " needs for its " + metric)));
        Table table = new Table(columns, List.of());
        double[] x = documents(runs.first());
        for (String variant : runs.variants().subList(1, runs.variants().size())) {
            for (int size : sizes()) {
                List<Object> row = new ArrayList<>(List.of(variant, runs.documents(variant, size)));
                for (String metric : METRICS) {
                    double[] y = sizes().stream()
                            .mapToDouble(each ->
                                    runs.spread(runs.first(), each, metric).mean())
                            .toArray();
                    row.add(needed(x, y, runs.spread(variant, size, metric).mean()));
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    /** Where a rising curve first reaches a value. */
    static String needed(double[] x, double[] y, double value) {
        if (value <= y[0]) {
            return "≤ " + Math.round(x[0]);
        }
        for (int i = 1; i < x.length; i++) {
            if (y[i] >= value) {
                double share = (value - y[i - 1]) / (y[i] - y[i - 1]);
                return Long.toString(Math.round(x[i - 1] * Math.pow(x[i] / x[i - 1], share)));
            }
        }
        return "> " + Math.round(x[x.length - 1]);
    }
}
