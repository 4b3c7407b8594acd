package org.plant4j.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.eval.Chart;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;
import org.plant4j.predict.RunFolder;
import org.plant4j.train.History;

/** Whether a variant goes on learning or begins to learn by heart (the paper's figure 4). */
final class Overfitting implements Analysis {

    private static final String METRIC = "P@15";
    private static final String TRAIN_LOSS = "train loss";
    private static final String DEV_LOSS = "dev loss";

    private final Runs runs;

    Overfitting(Runs runs) {
        this.runs = runs;
    }

    @Override
    public String question() {
        return "Does a variant go on learning, or begin to learn by heart?";
    }

    private List<History> histories(String variant) {
        return runs.of(variant, runs.study().sizes().get(0)).stream()
                .map(runs::folder)
                .map(Overfitting::history)
                .toList();
    }

    private static History history(RunFolder folder) {
        return folder.read(folder.history(), History.class);
    }

    /** Epochs that all seeds have seen. */
    private int epochs(String variant) {
        int epochs = histories(variant).stream()
                .mapToInt(history -> history.epochs().size())
                .min()
                .orElse(0);
        if (epochs == 0) {
            throw new UserError(
                    "Variant '" + variant + "' has no epochs to look at", "variants", "leave it out of this study");
        }
        return epochs;
    }

    private List<Spread> byEpoch(String variant, ToDoubleFunction<History.Epoch> value) {
        List<History> histories = histories(variant);
        return IntStream.range(0, epochs(variant))
                .mapToObj(epoch -> Spread.of(histories.stream()
                        .mapToDouble(
                                history -> value.applyAsDouble(history.epochs().get(epoch)))
                        .toArray()))
                .toList();
    }

    @Override
    public Table table() {
        Table table = Table.of(
                Table.Column.text("variant"),
                Table.Column.number("epochs", 0),
                Table.Column.number("train loss", 3),
                Table.Column.lowest("lowest dev loss", 3),
                Table.Column.number("at epoch", 0),
                Table.Column.number("at the end", 3),
                Table.Column.text("rise"),
                Table.Column.highest("best " + METRIC, 4),
                Table.Column.number("at epoch", 0),
                Table.Column.highest("at the end", 4));
        for (String variant : runs.variants()) {
            double[] loss = means(byEpoch(variant, History.Epoch::devLoss));
            double[] metric = means(byEpoch(variant, epoch -> epoch.metric(METRIC)));
            double[] train = means(byEpoch(variant, History.Epoch::trainLoss));
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

    private static double[] means(List<Spread> spreads) {
        return spreads.stream().mapToDouble(Spread::mean).toArray();
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.documents(variant, runs.study().sizes().get(0));
            add(results, variant, documents, TRAIN_LOSS, byEpoch(variant, History.Epoch::trainLoss));
            add(results, variant, documents, DEV_LOSS, byEpoch(variant, History.Epoch::devLoss));
            add(results, variant, documents, METRIC, byEpoch(variant, epoch -> epoch.metric(METRIC)));
        }
        return results;
    }

    private static void add(List<Result> results, String variant, long documents, String metric, List<Spread> byEpoch) {
        for (int epoch = 0; epoch < byEpoch.size(); epoch++) {
            Optional<String> group = Optional.of("epoch " + (epoch + 1));
            results.add(Result.of(variant, documents, group, metric, byEpoch.get(epoch)));
        }
    }

    @Override
    public void report(ReportPage page) {
        page.section("Curves");
        Chart metric = Chart.titled(METRIC + " on dev by epoch").x("epoch").y(METRIC);
        List<String> charts = new ArrayList<>();
        double top = runs.variants().stream()
                .flatMapToDouble(variant -> DoubleStream.concat(
                        DoubleStream.of(means(byEpoch(variant, History.Epoch::devLoss))),
                        DoubleStream.of(means(byEpoch(variant, History.Epoch::trainLoss)))))
                .max()
                .orElse(1);
        for (String variant : runs.variants()) {
            Chart loss = Chart.titled(variant + ": loss by epoch")
                    .x("epoch")
                    .y("loss a document")
                    .yRange(0, top); // one scale for all
            line(loss, "train", byEpoch(variant, History.Epoch::trainLoss));
            line(loss, "dev", byEpoch(variant, History.Epoch::devLoss));
            charts.add(loss.toSvg());
            line(metric, variant, byEpoch(variant, epoch -> epoch.metric(METRIC)));
        }
        charts.add(metric.toSvg());
        page.charts(charts.toArray(String[]::new));
        page.section("Numbers")
                .table("Means over the seeds, epoch by epoch.", table())
                .prose("A dev loss that rises from its lowest while the train loss falls is learning by heart; whether "
                        + "it does harm, " + METRIC + " tells.");
    }

    private static void line(Chart chart, String name, List<Spread> byEpoch) {
        chart.line(
                name,
                IntStream.rangeClosed(1, byEpoch.size()).asDoubleStream().toArray(),
                means(byEpoch),
                byEpoch.stream().mapToDouble(Cells::low).toArray(),
                byEpoch.stream().mapToDouble(Spread::high).toArray());
    }
}
