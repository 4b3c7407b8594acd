package org.plant4j.study;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.report.LineChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.support.UserError;
import org.plant4j.train.TrainingHistory;

/** Whether a variant goes on learning or begins to learn by heart (the paper's figure 4). */
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
        return "Does a variant go on learning, or begin to learn by heart?";
    }

    private List<TrainingHistory> histories(String variant) {
        return runs.runs(variant, runs.study().sizes().get(0)).stream()
                .map(runs::directory)
                .map(folder -> history(variant, folder))
                .toList();
    }

    private static TrainingHistory history(String variant, RunDirectory folder) {
        if (!Files.exists(folder.history())) {
            throw new UserError(
                    "Variant '" + variant + "' has no epochs to look at", "variants", "leave it out of this study");
        }
        return folder.read(folder.history(), TrainingHistory.class);
    }

    /** Epochs that all seeds have seen. */
    private int epochs(String variant) {
        return histories(variant).stream()
                .mapToInt(history -> history.epochs().size())
                .min()
                .orElse(0);
    }

    private List<SampleSummary> byEpoch(String variant, ToDoubleFunction<TrainingHistory.Epoch> value) {
        List<TrainingHistory> histories = histories(variant);
        return IntStream.range(0, epochs(variant))
                .mapToObj(epoch -> SampleSummary.of(histories.stream()
                        .mapToDouble(
                                history -> value.applyAsDouble(history.epochs().get(epoch)))
                        .toArray()))
                .toList();
    }

    @Override
    public ReportTable table() {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("variant"),
                ReportTable.Column.number("epochs", 0),
                ReportTable.Column.number("train loss", 3),
                ReportTable.Column.lowest("lowest dev loss", 3),
                ReportTable.Column.number("at epoch", 0),
                ReportTable.Column.number("at the end", 3),
                ReportTable.Column.text("rise"),
                ReportTable.Column.highest("best " + METRIC, 4),
                ReportTable.Column.number("at epoch", 0),
                ReportTable.Column.highest("at the end", 4));
        for (String variant : runs.variants()) {
            double[] loss = means(byEpoch(variant, TrainingHistory.Epoch::devLoss));
            double[] metric = means(byEpoch(variant, epoch -> epoch.metric(METRIC)));
            double[] train = means(byEpoch(variant, TrainingHistory.Epoch::trainLoss));
            int lowest = best(loss, -1);
            int best = best(metric, 1);
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

    private static int best(double[] values, int sign) {
        return IntStream.range(0, values.length)
                .boxed()
                .max(Comparator.comparingDouble((Integer i) -> sign * values[i]).thenComparing(i -> -i))
                .orElseThrow();
    }

    private static double[] means(List<SampleSummary> spreads) {
        return spreads.stream().mapToDouble(SampleSummary::mean).toArray();
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents =
                    runs.trainingDocuments(variant, runs.study().sizes().get(0));
            add(results, variant, documents, TRAIN_LOSS, byEpoch(variant, TrainingHistory.Epoch::trainLoss));
            add(results, variant, documents, DEV_LOSS, byEpoch(variant, TrainingHistory.Epoch::devLoss));
            add(results, variant, documents, METRIC, byEpoch(variant, epoch -> epoch.metric(METRIC)));
        }
        return results;
    }

    private static void add(
            List<StudyResult> results, String variant, long documents, String metric, List<SampleSummary> byEpoch) {
        for (int epoch = 0; epoch < byEpoch.size(); epoch++) {
            Optional<String> group = Optional.of("epoch " + (epoch + 1));
            results.add(StudyResult.of(variant, documents, group, metric, byEpoch.get(epoch)));
        }
    }

    @Override
    public void report(ReportPage page) {
        page.section("Curves");
        LineChart metric =
                LineChart.titled(METRIC + " on dev by epoch").xLabel("epoch").yLabel(METRIC);
        List<String> charts = new ArrayList<>();
        double top = runs.variants().stream()
                .flatMapToDouble(variant -> DoubleStream.concat(
                        DoubleStream.of(means(byEpoch(variant, TrainingHistory.Epoch::devLoss))),
                        DoubleStream.of(means(byEpoch(variant, TrainingHistory.Epoch::trainLoss)))))
                .max()
                .orElse(1);
        for (String variant : runs.variants()) {
            LineChart loss = LineChart.titled(variant + ": loss by epoch")
                    .xLabel("epoch")
                    .yLabel("loss a document")
                    .yRange(0, top); // one scale for all
            line(loss, "train", byEpoch(variant, TrainingHistory.Epoch::trainLoss));
            line(loss, "dev", byEpoch(variant, TrainingHistory.Epoch::devLoss));
            charts.add(loss.toSvg());
            line(metric, variant, byEpoch(variant, epoch -> epoch.metric(METRIC)));
        }
        charts.add(metric.toSvg());
        page.charts(charts.toArray(String[]::new));
        page.section("Numbers")
                .table("Means over the seeds, epoch by epoch.", table())
                .paragraphs(
                        "A dev loss that rises from its lowest while the train loss falls is learning by heart; whether "
                                + "it does harm, " + METRIC + " tells.");
    }

    private static void line(LineChart chart, String name, List<SampleSummary> byEpoch) {
        chart.line(
                name,
                IntStream.rangeClosed(1, byEpoch.size()).asDoubleStream().toArray(),
                means(byEpoch),
                byEpoch.stream().mapToDouble(StudyFormats::low).toArray(),
                byEpoch.stream().mapToDouble(SampleSummary::high).toArray());
    }
}
