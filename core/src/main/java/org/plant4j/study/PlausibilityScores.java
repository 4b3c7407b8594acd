package org.plant4j.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.Interval;
import org.plant4j.explain.Plausibility;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.statistics.Ratio;
import org.plant4j.study.measurement.EvidenceScores;

/** The plausibility of each variant's evidence, averaged over seeds, with intervals and tests over documents. */
final class PlausibilityScores {

    private static final String AUPRC = "AUPRC";
    private static final String F1 = "F1";
    private static final String RECALL = "recall";

    private static final Map<String, ToDoubleFunction<Plausibility>> METRICS = metrics();

    private final StudyRuns runs;
    private final Map<String, List<EvidenceScores>> evidence;
    private final List<StudyResult> results;

    /** {@code evidence} holds one entry per seed, by variant or reference. */
    PlausibilityScores(StudyRuns runs, Map<String, List<EvidenceScores>> evidence) {
        this.runs = runs;
        this.evidence = evidence;
        this.results = measure();
    }

    private static Map<String, ToDoubleFunction<Plausibility>> metrics() {
        Map<String, ToDoubleFunction<Plausibility>> metrics = new LinkedHashMap<>();
        metrics.put(AUPRC, Plausibility::auprc);
        metrics.put(F1, Plausibility::f1);
        metrics.put("precision", Plausibility::precision);
        metrics.put(RECALL, Plausibility::recall);
        metrics.put("IoU", Plausibility::iou);
        return metrics;
    }

    List<StudyResult> results() {
        return results;
    }

    /** The number of (document, label) pairs. */
    long pairs() {
        return evidence.getOrDefault(runs.baseline(), List.of()).get(0).byDocument().stream()
                .mapToLong(List::size)
                .sum();
    }

    private List<StudyResult> measure() {
        List<StudyResult> measured = new ArrayList<>();
        for (String source : evidence.keySet()) {
            METRICS.forEach((metric, measure) -> measured.add(measure(source, metric, measure)));
        }
        return measured;
    }

    private StudyResult measure(String source, String metric, ToDoubleFunction<Plausibility> measure) {
        Ratio ratio = ratio(source, metric, measure);
        StudyResult result = StudyResult.of(source, trainingDocuments(source), metric, ratio.value());
        Interval interval =
                new Bootstrap(1000, 0.95, 1).intervals(List.of(ratio)).get(metric);
        if (interval != null) {
            result = result.withInterval(interval.low(), interval.high());
        }
        if (source.equals(runs.baseline())) {
            return result;
        }
        Ratio baseline = ratio(runs.baseline(), metric, measure);
        return result.comparedWith(
                ratio.value() - baseline.value(), StudyRuns.significanceTest().pValue(baseline, ratio));
    }

    /** The mean over (document, label) pairs and seeds, as a ratio over documents that can be resampled. */
    private Ratio ratio(String source, String metric, ToDoubleFunction<Plausibility> measure) {
        List<EvidenceScores> seeds = evidence.getOrDefault(source, List.of());
        int documents = seeds.get(0).byDocument().size();
        double[] sums = new double[documents];
        double[] pairs = new double[documents];
        for (int d = 0; d < documents; d++) {
            for (EvidenceScores seed : seeds) {
                sums[d] +=
                        seed.byDocument().get(d).stream().mapToDouble(measure).sum();
                pairs[d] += seed.byDocument().get(d).size();
            }
            sums[d] /= seeds.size();
            pairs[d] /= seeds.size();
        }
        return new Ratio(metric, sums, pairs);
    }

    /** 0 for references without a model. */
    private long trainingDocuments(String source) {
        return runs.variants().contains(source) ? runs.trainingDocuments(source, runs.firstSize()) : 0;
    }

    ReportTable table() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("evidence of")));
        METRICS.keySet().forEach(metric -> {
            // Recall alone is not an objective: the whole document has a recall of 100 %.
            columns.add(
                    metric.equals(RECALL)
                            ? ReportTable.Column.percent(metric)
                            : ReportTable.Column.highestPercent(metric));
            if (isTested(metric)) {
                columns.add(ReportTable.Column.text("p"));
            }
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (String source : evidence.keySet()) {
            List<Object> row = new ArrayList<>(List.of(source));
            for (StudyResult result : resultsOf(source)) {
                row.add(ReportTable.Cell.of(
                        result.value(),
                        result.low().orElse(Double.NaN),
                        result.high().orElse(Double.NaN)));
                if (isTested(result.metric())) {
                    row.add(
                            result.pValue().isPresent()
                                    ? StudyFormats.pValue(result.pValue().getAsDouble())
                                    : StudyFormats.pValue(Optional.empty()));
                }
            }
            table = table.row(row.toArray());
        }
        return table;
    }

    private List<StudyResult> resultsOf(String source) {
        return results.stream()
                .filter(result -> result.variant().equals(source))
                .toList();
    }

    private static boolean isTested(String metric) {
        return metric.equals(AUPRC) || metric.equals(F1);
    }

    String chart() {
        List<String> groups = List.of(AUPRC, F1);
        BarChart chart =
                BarChart.titled("Agreement with annotated evidence", groups).yLabel("per token (%)");
        for (String source : evidence.keySet()) {
            List<StudyResult> shown = resultsOf(source).stream()
                    .filter(result -> groups.contains(result.metric()))
                    .toList();
            chart.bars(
                    source,
                    shown.stream().mapToDouble(result -> 100 * result.value()).toArray(),
                    shown.stream()
                            .mapToDouble(result -> 100 * result.low().orElse(Double.NaN))
                            .toArray(),
                    shown.stream()
                            .mapToDouble(result -> 100 * result.high().orElse(Double.NaN))
                            .toArray());
        }
        return chart.toSvg();
    }
}
