package org.plant4j.study;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.FrequencyBucket;
import org.plant4j.MetricNames;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.text.LabelIndex;

/** The metrics of each variant by training frequency of the labels (after table 5 of the PLANT paper). */
final class RareLabels implements Analysis {

    private static final List<String> METRICS = List.of(
            MetricNames.MICRO_F1,
            MetricNames.MACRO_F1_GOLD,
            MetricNames.MICRO_RECALL,
            MetricNames.MAP,
            MetricNames.MICRO_AUC,
            MetricNames.MACRO_AUC);

    private final StudyRuns runs;
    private final int size;
    private final List<FrequencyBucket> buckets;
    private final MetricMatrix matrix;
    private final Map<String, Comparison.Row> tests = new HashMap<>();

    RareLabels(StudyRuns runs) {
        this.runs = runs;
        this.size = runs.firstSize();
        this.buckets = runs.evaluation(runs.runs(runs.baseline(), size).get(0)).buckets().stream()
                .filter(bucket -> bucket.maximum() > 0)
                .filter(bucket -> bucket.metrics().getOrDefault(MetricNames.GOLD_LABELS, 0.0) > 0)
                .toList();
        this.matrix = new MetricMatrix(runs, buckets.stream().map(this::group).toList());
    }

    private MeasurementGroup group(FrequencyBucket bucket) {
        return new MeasurementGroup(
                bucket.name(),
                Optional.of(bucket.name()),
                size,
                (run, metric) -> value(run, bucket, metric),
                (variant, metric) ->
                        metric.equals(MetricNames.MICRO_F1) ? compareMicroF1(variant, bucket) : Optional.empty());
    }

    private double value(Study.PlannedRun run, FrequencyBucket wanted, String metric) {
        return runs.evaluation(run).buckets().stream()
                .filter(bucket -> bucket.name().equals(wanted.name()))
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(metric, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    private Optional<Comparison.Row> compareMicroF1(String variant, FrequencyBucket bucket) {
        if (variant.equals(runs.baseline())) {
            return Optional.empty();
        }
        return Optional.of(tests.computeIfAbsent(
                variant + "\t" + bucket.name(),
                key -> runs.compare(variant, within(runs.baseline(), bucket), within(variant, bucket))
                        .row(MetricNames.MICRO_F1)));
    }

    private List<Predictions> within(String variant, FrequencyBucket bucket) {
        LabelIndex labels = runs.labels(size);
        return runs.predictions(variant, size).stream()
                .map(predictions -> predictions.restrictedTo(code -> {
                    int frequency = labels.id(code).isPresent()
                            ? labels.frequency(labels.id(code).getAsInt())
                            : 0;
                    return frequency >= bucket.minimum() && frequency <= bucket.maximum();
                }))
                .toList();
    }

    @Override
    public String question() {
        return "How does each variant perform on rare labels?";
    }

    @Override
    public ReportTable table() {
        // Intervals of all metrics would make the table too wide; the result files have them.
        return matrix.table(
                List.of(ReportTable.Column.text("training documents"), ReportTable.Column.number("labels", 0)),
                (group, variant) -> List.of(group.label(), goldLabels(group)),
                METRICS.stream()
                        .map(metric -> switch (metric) {
                            case MetricNames.MICRO_F1 ->
                                MetricColumn.of(metric).withInterval().withPValue();
                            case MetricNames.MAP -> MetricColumn.of(metric).withInterval();
                            default -> MetricColumn.of(metric);
                        })
                        .toList());
    }

    private double goldLabels(MeasurementGroup group) {
        return buckets.stream()
                .filter(bucket -> bucket.name().equals(group.label()))
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(MetricNames.GOLD_LABELS, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(METRICS);
    }

    @Override
    public void report(ReportPage page) {
        page.section("Metrics by label frequency")
                .charts(chart(MetricNames.MICRO_F1), chart(MetricNames.MAP))
                .table(runs.caption(), table())
                .paragraphs(
                        "Labels are grouped by their number of training documents; all other labels are removed from "
                                + "gold labels, predictions and rankings. p: micro-F1 against " + runs.baseline()
                                + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        return matrix.barChart(metric + " by label frequency", "training documents with the label", metric);
    }
}
