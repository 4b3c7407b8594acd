package org.plant4j.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.report.LineChart;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.train.TrainingHistory;

/** Training and dev loss of each variant by epoch (figure 4 of the PLANT paper). */
final class Overfitting implements Analysis {

    private static final String METRIC = "P@15";
    private static final String TRAIN_LOSS = "train loss";
    private static final String DEV_LOSS = "dev loss";

    private final StudyRuns runs;

    Overfitting(StudyRuns runs) {
        this.runs = runs;
    }

    @Override
    public String question() {
        return "Does a variant keep improving, or does it start to overfit?";
    }

    private List<TrainingHistory> histories(String variant) {
        return runs.runs(variant, runs.firstSize()).stream()
                .map(runs::directory)
                .map(directory -> history(variant, directory))
                .toList();
    }

    private static TrainingHistory history(String variant, RunDirectory directory) {
        if (!directory.has(directory.history())) {
            throw new UserError(
                    "Variant '" + variant + "' is not trained in epochs", "variants", "remove it from this study");
        }
        return directory.read(directory.history(), TrainingHistory.class);
    }

    /** The number of epochs of the shortest run. */
    private static int commonEpochs(List<TrainingHistory> histories) {
        return histories.stream()
                .mapToInt(history -> history.epochs().size())
                .min()
                .orElse(0);
    }

    private List<SampleSummary> byEpoch(String variant, ToDoubleFunction<TrainingHistory.Epoch> value) {
        List<TrainingHistory> histories = histories(variant);
        return IntStream.range(0, commonEpochs(histories))
                .mapToObj(epoch -> SampleSummary.of(histories.stream()
                        .mapToDouble(
                                history -> value.applyAsDouble(history.epochs().get(epoch)))
                        .toArray()))
                .toList();
    }

    private List<SampleSummary> trainLoss(String variant) {
        return byEpoch(variant, TrainingHistory.Epoch::trainLoss);
    }

    private List<SampleSummary> devLoss(String variant) {
        return byEpoch(variant, TrainingHistory.Epoch::devLoss);
    }

    private List<SampleSummary> devMetric(String variant) {
        return byEpoch(variant, epoch -> epoch.metric(METRIC));
    }

    @Override
    public ReportTable table() {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("variant"),
                ReportTable.Column.number("epochs", 0),
                ReportTable.Column.number("final train loss", 3),
                ReportTable.Column.lowest("lowest dev loss", 3),
                ReportTable.Column.number("at epoch", 0),
                ReportTable.Column.number("final dev loss", 3),
                ReportTable.Column.text("increase"),
                ReportTable.Column.highestPercent("best " + METRIC),
                ReportTable.Column.number("at epoch", 0),
                ReportTable.Column.highestPercent("final " + METRIC));
        for (String variant : runs.variants()) {
            double[] train = means(trainLoss(variant));
            double[] loss = means(devLoss(variant));
            double[] metric = means(devMetric(variant));
            int lowest = firstMaximum(DoubleStream.of(loss).map(value -> -value).toArray());
            int best = firstMaximum(metric);
            int last = loss.length - 1;
            table = table.row(
                    variant,
                    loss.length,
                    train[last],
                    loss[lowest],
                    lowest + 1,
                    loss[last],
                    String.format(Locale.ROOT, "%+.0f %%", 100 * (loss[last] / loss[lowest] - 1)),
                    metric[best],
                    best + 1,
                    metric[last]);
        }
        return table;
    }

    private static int firstMaximum(double[] values) {
        return IntStream.range(0, values.length)
                .boxed()
                .max(Comparator.comparingDouble((Integer i) -> values[i]).thenComparing(i -> -i))
                .orElseThrow();
    }

    private static double[] means(List<SampleSummary> summaries) {
        return summaries.stream().mapToDouble(SampleSummary::mean).toArray();
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            add(results, variant, TRAIN_LOSS, trainLoss(variant));
            add(results, variant, DEV_LOSS, devLoss(variant));
            add(results, variant, METRIC, devMetric(variant));
        }
        return results;
    }

    private void add(List<StudyResult> results, String variant, String metric, List<SampleSummary> byEpoch) {
        long documents = runs.trainingDocuments(variant, runs.firstSize());
        for (int epoch = 0; epoch < byEpoch.size(); epoch++) {
            results.add(StudyResult.of(variant, documents, metric, byEpoch.get(epoch))
                    .inGroup(Optional.of("epoch " + (epoch + 1))));
        }
    }

    @Override
    public void report(ReportPage page) {
        page.section("Learning curves").charts(charts().toArray(String[]::new));
        page.section("Metrics")
                .table("Means over the seeds for each epoch.", table())
                .paragraphs("A variant overfits if its dev loss rises from its minimum while the train loss falls; "
                        + METRIC + " shows whether this hurts the ranking.");
    }

    private List<String> charts() {
        double maxLoss = runs.variants().stream()
                .flatMapToDouble(variant -> DoubleStream.concat(
                        DoubleStream.of(means(devLoss(variant))), DoubleStream.of(means(trainLoss(variant)))))
                .max()
                .orElse(1);
        LineChart metric =
                LineChart.titled(METRIC + " on dev by epoch").xLabel("epoch").yLabel(METRIC + " (%)");
        List<String> charts = new ArrayList<>();
        for (String variant : runs.variants()) {
            LineChart loss = LineChart.titled(variant + ": loss by epoch")
                    .xLabel("epoch")
                    .yLabel("loss per document")
                    .yRange(0, maxLoss); // the same scale for all variants
            line(loss, "train", trainLoss(variant), DoubleUnaryOperator.identity());
            line(loss, "dev", devLoss(variant), DoubleUnaryOperator.identity());
            charts.add(loss.toSvg());
            line(metric, variant, devMetric(variant), value -> MetricTables.shown(METRIC, value));
        }
        charts.add(metric.toSvg());
        return charts;
    }

    private static void line(LineChart chart, String name, List<SampleSummary> byEpoch, DoubleUnaryOperator scale) {
        double[] epochs =
                IntStream.rangeClosed(1, byEpoch.size()).asDoubleStream().toArray();
        double[][] values = StudyFormats.series(byEpoch, scale);
        chart.line(name, epochs, values[0], values[1], values[2]);
    }
}
