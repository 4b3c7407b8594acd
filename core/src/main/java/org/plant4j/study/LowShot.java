package org.plant4j.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.plant4j.MetricNames;
import org.plant4j.report.LineChart;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** The metrics of each variant by number of training documents (figure 3 of the PLANT paper). */
final class LowShot implements Analysis {

    private static final List<String> METRICS = List.of("P@5", "P@15", MetricNames.MAP);

    private final StudyRuns runs;
    private final List<MeasurementGroup> groups;
    private final MetricMatrix matrix;

    LowShot(StudyRuns runs) {
        this.runs = runs;
        this.groups = runs.study().sizes().stream()
                .sorted(Comparator.comparingLong(size -> runs.trainingDocuments(runs.baseline(), size)))
                .map(size -> MeasurementGroup.evaluation(runs, size))
                .toList();
        this.matrix = new MetricMatrix(runs, groups);
    }

    @Override
    public String question() {
        return "How does each variant perform with few training documents?";
    }

    @Override
    public ReportTable table() {
        return matrix.table(
                List.of(ReportTable.Column.number("documents", 0)),
                (group, variant) -> List.of(runs.trainingDocuments(variant, group.size())),
                METRICS.stream()
                        .map(metric -> MetricColumn.of(metric).withInterval().withPValue())
                        .toList());
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(METRICS);
    }

    @Override
    public void report(ReportPage page) {
        page.section("Learning curves").charts(METRICS.stream().map(this::chart).toArray(String[]::new));
        page.section("Metrics by number of training documents")
                .table(runs.caption(), table())
                .paragraphs("p: against " + runs.baseline() + " with the same number of training documents, by "
                        + "approximate randomization over documents, all seeds of a document swapped together.");
        if (runs.variants().size() > 1) {
            page.section("Documents needed by " + runs.baseline())
                    .table("Training documents that " + runs.baseline() + " needs for the same result", neededTable())
                    .paragraphs("Interpolated on the learning curve of " + runs.baseline()
                            + ", with the number of documents on a logarithmic scale.");
        }
    }

    private double[] trainingDocuments(String variant) {
        return groups.stream()
                .mapToDouble(group -> runs.trainingDocuments(variant, group.size()))
                .toArray();
    }

    private String chart(String metric) {
        LineChart chart = LineChart.titled(metric + " by training documents")
                .xLabel("training documents")
                .yLabel(metric + " (%)")
                .logX();
        for (String variant : runs.variants()) {
            double[][] values = StudyFormats.series(
                    groups.stream()
                            .map(group -> matrix.summary(group, variant, metric))
                            .toList(),
                    value -> MetricTables.shown(metric, value));
            chart.line(variant, trainingDocuments(variant), values[0], values[1], values[2]);
        }
        return chart.toSvg();
    }

    private double[] means(String variant, String metric) {
        return groups.stream()
                .mapToDouble(group -> matrix.summary(group, variant, metric).mean())
                .toArray();
    }

    /** The number of documents that the baseline needs to reach each variant's result. */
    private ReportTable neededTable() {
        List<ReportTable.Column> columns =
                new ArrayList<>(List.of(ReportTable.Column.text("variant"), ReportTable.Column.number("documents", 0)));
        METRICS.forEach(metric -> columns.add(ReportTable.Column.text("for the same " + metric)));
        ReportTable table = new ReportTable(columns, List.of());
        double[] documents = trainingDocuments(runs.baseline());
        for (String variant : runs.variants().subList(1, runs.variants().size())) {
            for (int g = 0; g < groups.size(); g++) {
                int group = g;
                List<Object> row = new ArrayList<>(List.of(
                        variant, runs.trainingDocuments(variant, groups.get(g).size())));
                METRICS.forEach(metric -> row.add(
                        neededDocuments(documents, means(runs.baseline(), metric), means(variant, metric)[group])));
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    /** The number of documents at which a learning curve first reaches a value. */
    static String neededDocuments(double[] documents, double[] values, double value) {
        if (value <= values[0]) {
            return "≤ " + Math.round(documents[0]);
        }
        for (int i = 1; i < documents.length; i++) {
            if (values[i] >= value) {
                double fraction = (value - values[i - 1]) / (values[i] - values[i - 1]);
                return Long.toString(
                        Math.round(documents[i - 1] * Math.pow(documents[i] / documents[i - 1], fraction)));
            }
        }
        return "> " + Math.round(documents[documents.length - 1]);
    }
}
