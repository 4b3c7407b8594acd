package org.plant4j.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.Evaluation;
import org.plant4j.FrequencyBucket;
import org.plant4j.Interval;
import org.plant4j.MetricNames;

/** Tables of an evaluation's metrics. Fractions are shown in percent, counts unchanged. */
public final class MetricTables {

    private MetricTables() {}

    /** One row per metric, one column per split, with confidence intervals. */
    public static ReportTable bySplit(List<String> metrics, Map<String, Evaluation> splits) {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("metric")));
        splits.keySet().forEach(split -> columns.add(ReportTable.Column.number(split, 2)));
        ReportTable table = new ReportTable(columns, List.of());
        for (String metric : metrics) {
            List<Object> row = new ArrayList<>(List.of(metric));
            splits.values().forEach(evaluation -> row.add(cell(evaluation, metric)));
            table = table.row(row.toArray());
        }
        return table;
    }

    /** One row per frequency bucket. */
    public static ReportTable byFrequency(Evaluation evaluation) {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("training documents"),
                ReportTable.Column.number("labels", 0),
                ReportTable.Column.percent("micro-F1"),
                ReportTable.Column.percent("macro-F1"),
                ReportTable.Column.percent("recall"),
                ReportTable.Column.percent("MAP"));
        for (FrequencyBucket bucket : evaluation.buckets()) {
            Map<String, Double> metrics = bucket.metrics();
            table = table.row(
                    bucket.name(),
                    metrics.getOrDefault(MetricNames.GOLD_LABELS, 0.0),
                    metrics.getOrDefault(MetricNames.MICRO_F1, Double.NaN),
                    metrics.getOrDefault(MetricNames.MACRO_F1_GOLD, Double.NaN),
                    metrics.getOrDefault(MetricNames.MICRO_RECALL, Double.NaN),
                    metrics.getOrDefault(MetricNames.MAP, Double.NaN));
        }
        return table;
    }

    /** The value of a metric as shown: in percent unless it is a count. */
    public static double shown(String metric, double value) {
        return MetricNames.isCount(metric) ? value : 100 * value;
    }

    /** The value of a metric with its confidence interval, for a number column with two decimal places. */
    public static ReportTable.Cell cell(Evaluation evaluation, String metric) {
        if (MetricNames.isCount(metric) && evaluation.metric(metric) == Math.rint(evaluation.metric(metric))) {
            return ReportTable.Cell.of(String.format(Locale.ROOT, "%,.0f", evaluation.metric(metric)));
        }
        double value = shown(metric, evaluation.metric(metric));
        Interval interval = evaluation.intervals().get(metric);
        return interval == null
                ? ReportTable.Cell.of(value)
                : ReportTable.Cell.of(value, shown(metric, interval.low()), shown(metric, interval.high()));
    }
}
