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
import org.plant4j.metric.Comparison;
import org.plant4j.metric.MetricNames;
import org.plant4j.metric.Predictions;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.text.LabelIndex;

/**
 * What is left of each variant when the most frequent codes are taken away from gold and predictions (table 4 of the label
 * description attention paper): who gives every document the same frequent codes has little left.
 */
final class FrequentLabelsRemoved implements Analysis {

    private static final List<String> METRICS = List.of(
            MetricNames.MAP,
            MetricNames.MICRO_F1,
            MetricNames.MICRO_PRECISION,
            MetricNames.MICRO_RECALL,
            MetricNames.PREDICTED_PER_DOCUMENT,
            MetricNames.PREDICTED_LABELS);

    private final StudyRuns runs;
    private final int size;
    private final Map<String, List<Map<String, Double>>> metrics = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    FrequentLabelsRemoved(StudyRuns runs) {
        this.runs = runs;
        this.size = runs.study().sizes().get(0);
    }

    @Override
    public String question() {
        return "What is left of each variant when the most frequent codes are taken away?";
    }

    /** Of the most training documents in the first variant's first run; of equals those that come first. */
    private Set<String> frequent(int count) {
        LabelIndex labels = runs.labels(size);
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
                .map(predictions -> predictions.excluding(frequent))
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

    private SampleSummary spread(String variant, int count, String metric) {
        return SampleSummary.of(metrics(variant, count).stream()
                .mapToDouble(seed -> seed.getOrDefault(metric, Double.NaN))
                .toArray());
    }

    private Optional<Comparison.Row> against(String variant, int count, String metric) {
        if (variant.equals(runs.baseline())
                || metric.equals(MetricNames.PREDICTED_PER_DOCUMENT)
                || metric.equals(MetricNames.PREDICTED_LABELS)) {
            return Optional.empty();
        }
        return Optional.of(comparisons
                .computeIfAbsent(
                        variant + "\t" + count,
                        key -> Comparison.of(
                                runs.baseline(),
                                left(runs.baseline(), count),
                                variant,
                                left(variant, count),
                                List.of(),
                                StudyRuns.significanceTest()))
                .row(metric));
    }

    private static String name(int count) {
        return count == 0 ? "none" : "top " + count;
    }

    @Override
    public ReportTable table() {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("removed"),
                ReportTable.Column.text("variant"),
                ReportTable.Column.number(MetricNames.MAP, 4),
                ReportTable.Column.text("p"),
                ReportTable.Column.number(MetricNames.MICRO_F1, 4),
                ReportTable.Column.text("p"),
                ReportTable.Column.number(MetricNames.MICRO_PRECISION, 4),
                ReportTable.Column.number(MetricNames.MICRO_RECALL, 4),
                ReportTable.Column.number("codes per document", 1),
                ReportTable.Column.number("distinct codes", 1));
        for (int count : runs.study().removed()) {
            for (String variant : runs.variants()) {
                table = table.row(
                        name(count),
                        variant,
                        StudyFormats.of(spread(variant, count, MetricNames.MAP)),
                        StudyFormats.p(against(variant, count, MetricNames.MAP)),
                        StudyFormats.of(spread(variant, count, MetricNames.MICRO_F1)),
                        StudyFormats.p(against(variant, count, MetricNames.MICRO_F1)),
                        spread(variant, count, MetricNames.MICRO_PRECISION).mean(),
                        spread(variant, count, MetricNames.MICRO_RECALL).mean(),
                        spread(variant, count, MetricNames.PREDICTED_PER_DOCUMENT)
                                .mean(),
                        spread(variant, count, MetricNames.PREDICTED_LABELS).mean());
            }
        }
        return table;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (int count : runs.study().removed()) {
            Optional<String> group = Optional.of(name(count) + " removed");
            for (String variant : runs.variants()) {
                long documents = runs.trainingDocuments(variant, size);
                for (String metric : METRICS) {
                    List<Study.PlannedRun> cells = runs.runs(variant, size);
                    for (int i = 0; i < cells.size(); i++) {
                        double value = metrics(variant, count).get(i).getOrDefault(metric, Double.NaN);
                        results.add(StudyResult.of(
                                variant, documents, group, cells.get(i).seed(), metric, value));
                    }
                    results.add(StudyResult.of(variant, documents, group, metric, spread(variant, count, metric))
                            .comparedWith(against(variant, count, metric)));
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Without the most frequent codes")
                .charts(chart(MetricNames.MAP), chart(MetricNames.MICRO_F1))
                .table(runs.caption(), table())
                .paragraphs(
                        "The codes of the most training documents are taken away from gold, predictions and ranking; "
                                + "MAP is the mean over documents that have a gold code left. p: against "
                                + runs.baseline()
                                + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        List<Integer> removed = runs.study().removed();
        BarChart chart = BarChart.titled(
                        metric + " without the most frequent codes",
                        removed.stream().map(FrequentLabelsRemoved::name).toList())
                .xLabel("codes removed")
                .yLabel(metric);
        for (String variant : runs.variants()) {
            StudyFormats.bars(
                    chart,
                    variant,
                    removed.stream()
                            .map(count -> spread(variant, count, metric))
                            .toList());
        }
        return chart.toSvg();
    }
}
