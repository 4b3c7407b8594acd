package org.plant4j.study;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.plant4j.MetricNames;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/**
 * The metrics of several models side by side, for all labels or groups of them (tables 3 to 6 of the PLANT paper, 1 to 4 of the
 * ISD paper).
 */
final class ModelComparison implements Analysis {

    private static final List<Integer> CUTOFFS = List.of(5, 8, 15);

    private final StudyRuns runs;
    private final int size;
    private final List<LabelGroup> groups;
    private final MetricMatrix matrix;
    private final Map<String, Map<String, Double>> values = new HashMap<>();
    private final Map<String, Comparison> tests = new HashMap<>();

    ModelComparison(StudyRuns runs) {
        this.runs = runs;
        this.size = runs.firstSize();
        this.groups = runs.study().groups().stream()
                .map(name -> LabelGroup.of(name, runs.labels(size)))
                .toList();
        this.matrix = new MetricMatrix(runs, groups.stream().map(this::group).toList());
    }

    private MeasurementGroup group(LabelGroup labels) {
        return new MeasurementGroup(
                labels.name(),
                Optional.of(labels.name()),
                size,
                (run, metric) -> labels.complete()
                        ? runs.evaluation(run).metric(metric)
                        : values(run, labels).getOrDefault(metric, Double.NaN),
                (variant, metric) -> compare(variant, labels, metric));
    }

    /** Metrics of some labels, which are those of stored predictions: all but AUC. */
    private Map<String, Double> values(Study.PlannedRun run, LabelGroup labels) {
        return values.computeIfAbsent(run.experiment().name() + "\t" + labels.name(), key -> {
            Predictions kept = restricted(runs.predictions(run), labels);
            Map<String, Double> metrics = new HashMap<>(kept.metrics(CUTOFFS));
            metrics.put(MetricNames.MACRO_F1_GOLD, kept.macroF1OfGoldLabels());
            return metrics;
        });
    }

    private static Predictions restricted(Predictions all, LabelGroup labels) {
        if (labels.complete()) {
            return all;
        }
        Set<String> others = new HashSet<>();
        all.documents().stream()
                .flatMap(document -> Stream.of(document.gold(), document.topCodes(), document.predicted())
                        .flatMap(List::stream))
                .filter(code -> !labels.contains().test(code))
                .forEach(others::add);
        return all.excluding(others);
    }

    /** Tests the metrics of a {@link Comparison}: ratios of sums over documents, and macro-F1 of the gold labels. */
    private Optional<Comparison.Row> compare(String variant, LabelGroup labels, String metric) {
        if (variant.equals(runs.baseline())) {
            return Optional.empty();
        }
        return tests
                .computeIfAbsent(
                        variant + "\t" + labels.name(),
                        key -> Comparison.of(
                                runs.baseline(),
                                restricted(runs.baseline(), labels),
                                variant,
                                restricted(variant, labels),
                                CUTOFFS,
                                StudyRuns.significanceTest()))
                .rows()
                .stream()
                .filter(row -> row.metric().equals(metric))
                .findFirst();
    }

    private List<Predictions> restricted(String variant, LabelGroup labels) {
        return runs.predictions(variant, size).stream()
                .map(predictions -> restricted(predictions, labels))
                .toList();
    }

    @Override
    public String question() {
        return "How do the models compare?";
    }

    @Override
    public ReportTable table() {
        boolean single = runs.study().groups().size() == 1;
        return matrix.table(
                single ? List.of() : List.of(ReportTable.Column.text("labels")),
                (group, variant) -> single ? List.of() : List.of(group.label()),
                runs.study().metrics().stream()
                        .map(metric -> MetricColumn.of(metric, ReportTable.Column.highestPercent(metric))
                                .withInterval()
                                .withPValue())
                        .toList());
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(runs.study().metrics());
    }

    @Override
    public void report(ReportPage page) {
        page.section("Models")
                .table(runs.caption(), table())
                .paragraphs("p: against " + runs.baseline()
                        + ", by approximate randomization over documents, all seeds of a "
                        + "document swapped together, without correction for multiple comparisons. AUC and macro-F1 over "
                        + "all labels are not tested.");
        if (!groups.stream().allMatch(LabelGroup::complete)) {
            page.paragraphs("For groups of labels, all other labels are removed from gold labels, predictions and "
                    + "rankings, and there is no AUC, which needs all scores.");
        }
    }
}
