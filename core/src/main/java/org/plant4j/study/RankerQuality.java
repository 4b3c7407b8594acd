package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.plant4j.MetricNames;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.report.LineChart;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.train.TrainingHistory;

/** The ranker's nDCG against the classifier's metrics (PLANT's slides: as goes L2R so goes XMTC). */
final class RankerQuality implements Analysis {

    private static final String TRAINED = "ranker nDCG";
    private static final String HELD_OUT = "held-out nDCG";
    private static final List<String> METRICS = List.of("P@5", "P@15", MetricNames.MAP);

    private final StudyRuns runs;

    RankerQuality(StudyRuns runs) {
        this.runs = runs;
    }

    /** The last epoch of a ranker's training, which is the one that is planted. */
    private TrainingHistory.Epoch ranker(Study.PlannedRun run) {
        RunDirectory directory = runs.directory(run);
        if (!directory.has(directory.rankerHistory())) {
            throw new UserError(
                    "Run " + run.experiment().name() + " has no ranker",
                    directory.path().toString(),
                    "compare planted models");
        }
        List<TrainingHistory.Epoch> epochs =
                directory.read(directory.rankerHistory(), TrainingHistory.class).epochs();
        return epochs.get(epochs.size() - 1);
    }

    private double value(Study.PlannedRun run, String metric) {
        return switch (metric) {
            case TRAINED -> 1 - ranker(run).trainLoss(); // the loss is 1 − nDCG
            case HELD_OUT -> ranker(run).devMetric();
            default -> runs.evaluation(run).metric(metric);
        };
    }

    private SampleSummary summary(String variant, String metric) {
        return runs.summary(variant, runs.firstSize(), run -> value(run, metric));
    }

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of(TRAINED, HELD_OUT));
        columns.addAll(METRICS);
        return columns;
    }

    @Override
    public String question() {
        return "Does a better ranker make a better classifier?";
    }

    @Override
    public ReportTable table() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("variant")));
        columns().forEach(metric -> columns.add(ReportTable.Column.highestPercent(metric)));
        ReportTable table = new ReportTable(columns, List.of());
        for (String variant : runs.variants()) {
            List<Object> row = new ArrayList<>(List.of(variant));
            columns().forEach(metric -> row.add(StudyFormats.cell(summary(variant, metric))));
            table = table.row(row.toArray());
        }
        return table;
    }

    /** Spearman's correlation of the ranker's nDCG with a metric over the variants' means. */
    private double correlation(String metric) {
        return spearman(means(TRAINED), means(metric));
    }

    private double[] means(String metric) {
        return runs.variants().stream()
                .mapToDouble(variant -> summary(variant, metric).mean())
                .toArray();
    }

    static double spearman(double[] x, double[] y) {
        double[] a = ranks(x);
        double[] b = ranks(y);
        double mean = (x.length - 1) / 2.0;
        double covariance = 0;
        double varianceA = 0;
        double varianceB = 0;
        for (int i = 0; i < a.length; i++) {
            covariance += (a[i] - mean) * (b[i] - mean);
            varianceA += (a[i] - mean) * (a[i] - mean);
            varianceB += (b[i] - mean) * (b[i] - mean);
        }
        return covariance / Math.sqrt(varianceA * varianceB);
    }

    /** Ranks from 0; equal values share the mean of their ranks. */
    private static double[] ranks(double[] values) {
        return IntStream.range(0, values.length)
                .mapToDouble(i -> {
                    double below = 0;
                    double equal = -1;
                    for (double value : values) {
                        below += value < values[i] ? 1 : 0;
                        equal += value == values[i] ? 1 : 0;
                    }
                    return below + equal / 2;
                })
                .toArray();
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.trainingDocuments(variant, runs.firstSize());
            for (String metric : columns()) {
                for (Study.PlannedRun run : runs.runs(variant, runs.firstSize())) {
                    results.add(StudyResult.of(variant, documents, metric, value(run, metric))
                            .ofSeed(run.seed()));
                }
                results.add(StudyResult.of(variant, documents, metric, summary(variant, metric)));
            }
        }
        METRICS.forEach(metric -> results.add(StudyResult.of("all variants", 0, metric, correlation(metric))
                .inGroup(Optional.of("correlation with " + TRAINED))));
        return results;
    }

    @Override
    public void report(ReportPage page) {
        LineChart chart = LineChart.titled("Classifier by ranker")
                .xLabel("nDCG of the ranker (%)")
                .yLabel("%");
        int[] order = IntStream.range(0, runs.variants().size())
                .boxed()
                .sorted((a, b) -> Double.compare(means(TRAINED)[a], means(TRAINED)[b]))
                .mapToInt(i -> i)
                .toArray();
        double[] x =
                IntStream.of(order).mapToDouble(i -> 100 * means(TRAINED)[i]).toArray();
        StringBuilder correlations = new StringBuilder();
        for (String metric : METRICS) {
            double[] y = means(metric);
            chart.line(
                    metric,
                    x,
                    IntStream.of(order)
                            .mapToDouble(i -> MetricTables.shown(metric, y[i]))
                            .toArray());
            correlations.append(String.format(Locale.ROOT, " %s %.2f;", metric, correlation(metric)));
        }
        page.section("Rankers")
                .charts(chart.toSvg())
                .table(runs.caption(), table())
                .paragraphs("Spearman's correlation over the variants between the ranker's nDCG and the classifier:"
                        + correlations
                        + " nDCG is that of the ranker's last epoch, on the lists that it was trained on and on "
                        + "held-out tokens.");
    }
}
