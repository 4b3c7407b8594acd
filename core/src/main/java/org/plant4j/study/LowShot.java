package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.MetricNames;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/** How much each variant makes of few training documents (the paper's figure 3). */
public record LowShot(StudyRuns runs) implements Analysis {

    private static final List<String> METRICS = List.of("P@5", "P@15", MetricNames.MAP);

    @Override
    public String question() {
        return "What does each variant make of few training documents?";
    }

    private List<Integer> sizes() {
        return runs.study().sizes().stream()
                .sorted((a, b) -> Long.compare(
                        runs.trainingDocuments(runs.baseline(), a), runs.trainingDocuments(runs.baseline(), b)))
                .toList();
    }

    @Override
    public ReportTable table() {
        List<ReportTable.Column> columns = new ArrayList<>();
        columns.add(ReportTable.Column.number("documents", 0));
        columns.add(ReportTable.Column.text("variant"));
        METRICS.forEach(metric -> {
            columns.add(ReportTable.Column.number(metric, 4));
            columns.add(ReportTable.Column.text("p"));
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (int size : sizes()) {
            for (String variant : runs.variants()) {
                Optional<Comparison> against = runs.comparison(variant, size);
                List<Object> row = new ArrayList<>();
                row.add(runs.trainingDocuments(variant, size));
                row.add(variant);
                for (String metric : METRICS) {
                    row.add(StudyFormats.of(runs.summary(variant, size, metric)));
                    row.add(StudyFormats.p(against.map(comparison -> comparison.row(metric))));
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            for (int size : sizes()) {
                for (String metric : METRICS) {
                    for (Study.PlannedRun cell : runs.runs(variant, size)) {
                        double value = runs.evaluation(cell).metric(metric);
                        results.add(StudyResult.of(
                                variant, runs.trainingDocuments(cell), Optional.empty(), cell.seed(), metric, value));
                    }
                    StudyResult all = StudyResult.of(
                            variant,
                            runs.trainingDocuments(variant, size),
                            Optional.empty(),
                            metric,
                            runs.summary(variant, size, metric));
                    results.add(all.comparedWith(runs.comparison(variant, size).map(c -> c.row(metric))));
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
                .paragraphs(
                        "p: against " + runs.baseline() + " on as many documents, by approximate randomization over "
                                + "documents; where a document changes sides, its results of all seeds do.");
        if (runs.variants().size() > 1) {
            page.section("Documents for the same result")
                    .table(needs())
                    .paragraphs("By a straight line on the curve of " + runs.baseline()
                            + ", documents on a logarithmic scale.");
        }
    }

    private double[] documents(String variant) {
        return sizes().stream()
                .mapToDouble(size -> runs.trainingDocuments(variant, size))
                .toArray();
    }

    private String chart(String metric) {
        LineChart chart = LineChart.titled(metric + " by training documents")
                .xLabel("training documents")
                .yLabel(metric)
                .logX();
        for (String variant : runs.variants()) {
            List<SampleSummary> spreads = sizes().stream()
                    .map(size -> runs.summary(variant, size, metric))
                    .toList();
            chart.line(
                    variant,
                    documents(variant),
                    spreads.stream().mapToDouble(SampleSummary::mean).toArray(),
                    spreads.stream().mapToDouble(StudyFormats::low).toArray(),
                    spreads.stream().mapToDouble(SampleSummary::high).toArray());
        }
        return chart.toSvg();
    }

    /** How many documents the first variant needs for what another reaches with fewer. */
    private ReportTable needs() {
        List<ReportTable.Column> columns =
                new ArrayList<>(List.of(ReportTable.Column.text("variant"), ReportTable.Column.number("documents", 0)));
        METRICS.forEach(metric -> columns.add(ReportTable.Column.text(runs.baseline() + " needs for its " + metric)));
        ReportTable table = new ReportTable(columns, List.of());
        double[] x = documents(runs.baseline());
        for (String variant : runs.variants().subList(1, runs.variants().size())) {
            for (int size : sizes()) {
                List<Object> row = new ArrayList<>(List.of(variant, runs.trainingDocuments(variant, size)));
                for (String metric : METRICS) {
                    double[] y = sizes().stream()
                            .mapToDouble(each ->
                                    runs.summary(runs.baseline(), each, metric).mean())
                            .toArray();
                    row.add(needed(x, y, runs.summary(variant, size, metric).mean()));
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
