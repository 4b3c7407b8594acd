package org.plant4j.study;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.MetricNames;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.text.LabelIndex;

/**
 * The metrics of each variant without the most frequent labels (table 4 of the label description attention paper). A
 * variant that predicts the same frequent labels for every document loses most.
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
    private final MetricMatrix matrix;
    private final Map<String, Map<String, Double>> metrics = new HashMap<>();
    private final Map<String, Comparison> comparisons = new HashMap<>();

    FrequentLabelsRemoved(StudyRuns runs) {
        this.runs = runs;
        this.size = runs.firstSize();
        this.matrix = new MetricMatrix(
                runs, runs.study().removedLabels().stream().map(this::group).toList());
    }

    private MeasurementGroup group(int removed) {
        String label = removed == 0 ? "none" : "top " + removed;
        return new MeasurementGroup(
                label,
                Optional.of(label + " removed"),
                size,
                (run, metric) -> metrics(run, removed).getOrDefault(metric, Double.NaN),
                (variant, metric) -> compare(variant, removed, metric));
    }

    /** The labels with the most training documents; ties by label index. */
    private Set<String> mostFrequent(int count) {
        LabelIndex labels = runs.labels(size);
        return new HashSet<>(IntStream.range(0, labels.size())
                .boxed()
                .sorted(Comparator.comparingInt(label -> -labels.frequency(label)))
                .limit(count)
                .map(labels::code)
                .toList());
    }

    private Map<String, Double> metrics(Study.PlannedRun run, int removed) {
        return metrics.computeIfAbsent(
                run.experiment().name() + "\t" + removed,
                key -> runs.predictions(run).excluding(mostFrequent(removed)).metrics(List.of()));
    }

    private Optional<Comparison.Row> compare(String variant, int removed, String metric) {
        if (variant.equals(runs.baseline()) || MetricNames.isCount(metric)) {
            return Optional.empty();
        }
        return Optional.of(comparisons
                .computeIfAbsent(
                        variant + "\t" + removed,
                        key -> runs.compare(variant, remaining(runs.baseline(), removed), remaining(variant, removed)))
                .row(metric));
    }

    private List<Predictions> remaining(String variant, int removed) {
        Set<String> codes = mostFrequent(removed);
        return runs.predictions(variant, size).stream()
                .map(predictions -> predictions.excluding(codes))
                .toList();
    }

    @Override
    public String question() {
        return "How does each variant perform without the most frequent labels?";
    }

    @Override
    public ReportTable table() {
        return matrix.table(
                List.of(ReportTable.Column.text("removed")),
                (group, variant) -> List.of(group.label()),
                METRICS.stream()
                        .map(metric -> switch (metric) {
                            case MetricNames.MAP, MetricNames.MICRO_F1 ->
                                MetricColumn.of(metric).withInterval().withPValue();
                            default -> MetricColumn.of(metric);
                        })
                        .toList());
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(METRICS);
    }

    @Override
    public void report(ReportPage page) {
        page.section("Without the most frequent labels")
                .charts(chart(MetricNames.MAP), chart(MetricNames.MICRO_F1))
                .table(runs.caption(), table())
                .paragraphs("The labels with the most training documents are removed from gold labels, predictions and "
                        + "rankings. MAP is the mean over documents with remaining gold labels. p: against "
                        + runs.baseline() + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        return matrix.barChart(metric + " without the most frequent labels", "labels removed", metric);
    }
}
