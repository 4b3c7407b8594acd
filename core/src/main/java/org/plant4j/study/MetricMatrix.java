package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.plant4j.MetricNames;
import org.plant4j.report.BarChart;
import org.plant4j.report.MetricTables;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/** Metrics by group, variant and seed: the aggregation, tables, charts and results that most analyses share. */
final class MetricMatrix {

    private final StudyRuns runs;
    private final List<MeasurementGroup> groups;

    MetricMatrix(StudyRuns runs, List<MeasurementGroup> groups) {
        this.runs = runs;
        this.groups = List.copyOf(groups);
    }

    /** The mean and interval of a metric over the seeds. */
    SampleSummary summary(MeasurementGroup group, String variant, String metric) {
        return runs.summary(variant, group.size(), run -> group.values().value(run, metric));
    }

    /** One row per variant. */
    ReportTable table(List<MetricColumn> metrics) {
        return table(List.of(), (group, variant) -> List.of(), metrics);
    }

    /** One row per group and variant; {@code groupCells} fills the columns that identify the group. */
    ReportTable table(
            List<ReportTable.Column> groupColumns,
            BiFunction<MeasurementGroup, String, List<Object>> groupCells,
            List<MetricColumn> metrics) {
        List<ReportTable.Column> columns = new ArrayList<>(groupColumns);
        columns.add(ReportTable.Column.text("variant"));
        metrics.forEach(metric -> {
            columns.add(metric.column());
            if (metric.difference()) {
                columns.add(ReportTable.Column.text("difference"));
            }
            if (metric.pValue()) {
                columns.add(ReportTable.Column.text("p"));
            }
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (MeasurementGroup group : groups) {
            for (String variant : runs.variants()) {
                List<Object> row = new ArrayList<>(groupCells.apply(group, variant));
                row.add(variant);
                metrics.forEach(metric -> row.addAll(cells(group, variant, metric)));
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    private List<Object> cells(MeasurementGroup group, String variant, MetricColumn column) {
        SampleSummary summary = summary(group, variant, column.metric());
        List<Object> cells = new ArrayList<>();
        cells.add(column.interval() ? StudyFormats.cell(summary) : summary.mean());
        if (column.difference()) {
            cells.add(StudyFormats.difference(group.tests().compare(variant, column.metric())));
        }
        if (column.pValue()) {
            cells.add(StudyFormats.pValue(group.tests().compare(variant, column.metric())));
        }
        return cells;
    }

    /** Every metric of every group and variant: one result per seed, and their mean. */
    List<StudyResult> results(List<String> metrics) {
        List<StudyResult> results = new ArrayList<>();
        for (MeasurementGroup group : groups) {
            for (String variant : runs.variants()) {
                for (String metric : metrics) {
                    for (Study.PlannedRun run : runs.runs(variant, group.size())) {
                        double value = group.values().value(run, metric);
                        results.add(StudyResult.of(variant, runs.trainingDocuments(run), metric, value)
                                .inGroup(group.resultGroup())
                                .ofSeed(run.seed()));
                    }
                    long documents = runs.trainingDocuments(variant, group.size());
                    results.add(StudyResult.of(variant, documents, metric, summary(group, variant, metric))
                            .inGroup(group.resultGroup())
                            .comparedWith(group.tests().compare(variant, metric)));
                }
            }
        }
        return results;
    }

    /** One bar per variant in each group, with intervals over the seeds. */
    String barChart(String title, String xLabel, String metric) {
        BarChart chart = BarChart.titled(
                        title, groups.stream().map(MeasurementGroup::label).toList())
                .xLabel(xLabel)
                .yLabel(MetricNames.isCount(metric) ? metric : metric + " (%)");
        for (String variant : runs.variants()) {
            double[][] values = StudyFormats.series(
                    groups.stream()
                            .map(group -> summary(group, variant, metric))
                            .toList(),
                    value -> MetricTables.shown(metric, value));
            chart.bars(variant, values[0], values[1], values[2]);
        }
        return chart.toSvg();
    }
}
