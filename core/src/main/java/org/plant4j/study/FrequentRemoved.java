package org.plant4j.study;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.Predictions;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;
import org.plant4j.text.Labels;

/**
 * What is left of each variant when the most frequent codes are taken away from gold and predictions (table 4 of the label
 * description attention paper): who gives every document the same frequent codes has little left.
 */
final class FrequentRemoved implements Analysis {

    private static final List<String> METRICS = List.of(
            Metrics.MAP,
            Metrics.MICRO_F1,
            Metrics.MICRO_PRECISION,
            Metrics.MICRO_RECALL,
            Metrics.PREDICTED_PER_DOCUMENT,
            Metrics.PREDICTED_LABELS);

    private final Runs runs;
    private final int size;
    private final Map<String, List<Map<String, Double>>> metrics = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    FrequentRemoved(Runs runs) {
        this.runs = runs;
        this.size = runs.study().sizes().get(0);
    }

    @Override
    public String question() {
        return "What is left of each variant when the most frequent codes are taken away?";
    }

    /** Of the most training documents in the first variant's first run; of equals those that come first. */
    private Set<String> frequent(int count) {
        Labels labels = runs.labels(size);
        return new HashSet<>(IntStream.range(0, labels.size())
                .boxed()
                .sorted(Comparator.comparingInt(label -> -labels.frequency(label)))
                .limit(count)
                .map(labels::code)
                .toList());
    }

    private List<Predictions> left(String variant, int count) {
        Set<String> frequent = frequent(count);
        return runs.predictions(variant, size).stream()
                .map(predictions -> predictions.without(frequent))
                .toList();
    }

    /** The metrics of each seed. */
    private List<Map<String, Double>> metrics(String variant, int count) {
        return metrics.computeIfAbsent(
                variant + "\t" + count,
                key -> left(variant, count).stream()
                        .map(predictions -> predictions.metrics(List.of()))
                        .toList());
    }

    private Spread spread(String variant, int count, String metric) {
        return Spread.of(metrics(variant, count).stream()
                .mapToDouble(seed -> seed.getOrDefault(metric, Double.NaN))
                .toArray());
    }

    private Optional<Comparison.Row> against(String variant, int count, String metric) {
        if (variant.equals(runs.first())
                || metric.equals(Metrics.PREDICTED_PER_DOCUMENT)
                || metric.equals(Metrics.PREDICTED_LABELS)) {
            return Optional.empty();
        }
        return Optional.of(comparisons
                .computeIfAbsent(
                        variant + "\t" + count,
                        key -> Comparison.of(
                                runs.first(),
                                left(runs.first(), count),
                                variant,
                                left(variant, count),
                                List.of(),
                                Runs.test()))
                .row(metric));
    }

    private static String name(int count) {
        return count == 0 ? "none" : "top " + count;
    }

    @Override
    public Table table() {
        Table table = Table.of(
                Table.Column.text("removed"),
                Table.Column.text("variant"),
                Table.Column.number(Metrics.MAP, 4),
                Table.Column.text("p"),
                Table.Column.number(Metrics.MICRO_F1, 4),
                Table.Column.text("p"),
                Table.Column.number(Metrics.MICRO_PRECISION, 4),
                Table.Column.number(Metrics.MICRO_RECALL, 4),
                Table.Column.number("codes per document", 1),
                Table.Column.number("distinct codes", 1));
        for (int count : runs.study().removed()) {
            for (String variant : runs.variants()) {
                table = table.row(
                        name(count),
                        variant,
                        Cells.of(spread(variant, count, Metrics.MAP)),
                        Cells.p(against(variant, count, Metrics.MAP)),
                        Cells.of(spread(variant, count, Metrics.MICRO_F1)),
                        Cells.p(against(variant, count, Metrics.MICRO_F1)),
                        spread(variant, count, Metrics.MICRO_PRECISION).mean(),
                        spread(variant, count, Metrics.MICRO_RECALL).mean(),
                        spread(variant, count, Metrics.PREDICTED_PER_DOCUMENT).mean(),
                        spread(variant, count, Metrics.PREDICTED_LABELS).mean());
            }
        }
        return table;
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (int count : runs.study().removed()) {
            Optional<String> group = Optional.of(name(count) + " removed");
            for (String variant : runs.variants()) {
                long documents = runs.documents(variant, size);
                for (String metric : METRICS) {
                    List<Study.Cell> cells = runs.of(variant, size);
                    for (int i = 0; i < cells.size(); i++) {
                        double value = metrics(variant, count).get(i).getOrDefault(metric, Double.NaN);
                        results.add(Result.of(
                                variant, documents, group, cells.get(i).seed(), metric, value));
                    }
                    results.add(Result.of(variant, documents, group, metric, spread(variant, count, metric))
                            .against(against(variant, count, metric)));
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Without the most frequent codes")
                .charts(chart(Metrics.MAP), chart(Metrics.MICRO_F1))
                .table(runs.caption(), table())
                .prose("The codes of the most training documents are taken away from gold, predictions and ranking; "
                        + "MAP is the mean over documents that have a gold code left. p: against " + runs.first()
                        + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        List<Integer> removed = runs.study().removed();
        BarChart chart = BarChart.titled(
                        metric + " without the most frequent codes",
                        removed.stream().map(FrequentRemoved::name).toList())
                .x("codes removed")
                .y(metric);
        for (String variant : runs.variants()) {
            Cells.bars(
                    chart,
                    variant,
                    removed.stream()
                            .map(count -> spread(variant, count, metric))
                            .toList());
        }
        return chart.toSvg();
    }
}
