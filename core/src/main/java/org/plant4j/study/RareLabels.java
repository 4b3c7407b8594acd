package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.FrequencyBucket;
import org.plant4j.metric.MetricNames;
import org.plant4j.metric.Predictions;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;
import org.plant4j.text.LabelIndex;

/** How each variant does on codes that training shows seldom (after the paper's table 5). */
final class RareLabels implements Analysis {

    private static final List<String> METRICS = List.of(
            MetricNames.MICRO_F1,
            MetricNames.MACRO_F1_GOLD,
            MetricNames.MICRO_RECALL,
            MetricNames.MAP,
            MetricNames.MICRO_AUC,
            MetricNames.MACRO_AUC);

    /** A table with all of them would be too wide; the results hold them. */
    private static final Set<String> INTERVALS = Set.of(MetricNames.MICRO_F1, MetricNames.MAP);

    private final StudyRuns runs;
    private final int size;
    private final Map<String, Comparison.Row> tests = new HashMap<>();

    RareLabels(StudyRuns runs) {
        this.runs = runs;
        this.size = runs.study().sizes().get(0);
    }

    @Override
    public String question() {
        return "How does each variant do on codes that training shows seldom?";
    }

    /** Those that hold a gold code; an unseen code no variant can find. */
    private List<FrequencyBucket> buckets() {
        return runs.evaluation(runs.runs(runs.baseline(), size).get(0)).buckets().stream()
                .filter(bucket -> bucket.maximum() > 0)
                .filter(bucket -> bucket.metrics().getOrDefault(MetricNames.GOLD_LABELS, 0.0) > 0)
                .toList();
    }

    private SampleSummary spread(String variant, FrequencyBucket bucket, String metric) {
        return runs.summary(variant, size, (Study.PlannedRun cell) -> value(cell, bucket, metric));
    }

    private double value(Study.PlannedRun cell, FrequencyBucket wanted, String metric) {
        return runs.evaluation(cell).buckets().stream()
                .filter(bucket -> bucket.name().equals(wanted.name()))
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(metric, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Micro-F1 of the bucket's codes alone, against the first variant. */
    private Optional<Comparison.Row> against(String variant, FrequencyBucket bucket) {
        if (variant.equals(runs.baseline())) {
            return Optional.empty();
        }
        return Optional.of(tests.computeIfAbsent(
                variant + "\t" + bucket.name(),
                key -> Comparison.of(
                                runs.baseline(),
                                within(runs.baseline(), bucket),
                                variant,
                                within(variant, bucket),
                                List.of(),
                                StudyRuns.significanceTest())
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
    public ReportTable table() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(
                ReportTable.Column.text("training documents"),
                ReportTable.Column.number("codes", 0),
                ReportTable.Column.text("variant")));
        METRICS.forEach(metric -> {
            columns.add(ReportTable.Column.number(metric, 4));
            if (metric.equals(MetricNames.MICRO_F1)) {
                columns.add(ReportTable.Column.text("p"));
            }
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (FrequencyBucket bucket : buckets()) {
            for (String variant : runs.variants()) {
                List<Object> row = new ArrayList<>(List.of(
                        bucket.name(), bucket.metrics().getOrDefault(MetricNames.GOLD_LABELS, Double.NaN), variant));
                for (String metric : METRICS) {
                    SampleSummary spread = spread(variant, bucket, metric);
                    row.add(INTERVALS.contains(metric) ? StudyFormats.of(spread) : spread.mean());
                    if (metric.equals(MetricNames.MICRO_F1)) {
                        row.add(StudyFormats.p(against(variant, bucket)));
                    }
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (FrequencyBucket bucket : buckets()) {
            Optional<String> group = Optional.of(bucket.name());
            for (String variant : runs.variants()) {
                long documents = runs.trainingDocuments(variant, size);
                for (String metric : METRICS) {
                    for (Study.PlannedRun cell : runs.runs(variant, size)) {
                        double value = value(cell, bucket, metric);
                        results.add(StudyResult.of(variant, documents, group, cell.seed(), metric, value));
                    }
                    StudyResult all =
                            StudyResult.of(variant, documents, group, metric, spread(variant, bucket, metric));
                    results.add(metric.equals(MetricNames.MICRO_F1) ? all.comparedWith(against(variant, bucket)) : all);
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("By frequency")
                .charts(chart(MetricNames.MICRO_F1), chart(MetricNames.MAP))
                .table(runs.caption(), table())
                .paragraphs("By how many training documents carry a code; every other code is taken away from gold, "
                        + "predictions and ranking alike. p: of micro-F1 against " + runs.baseline()
                        + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        BarChart chart = BarChart.titled(
                        metric + " by code frequency",
                        buckets().stream().map(FrequencyBucket::name).toList())
                .xLabel("training documents with the code")
                .yLabel(metric);
        for (String variant : runs.variants()) {
            StudyFormats.bars(
                    chart,
                    variant,
                    buckets().stream()
                            .map(bucket -> spread(variant, bucket, metric))
                            .toList());
        }
        return chart.toSvg();
    }
}
