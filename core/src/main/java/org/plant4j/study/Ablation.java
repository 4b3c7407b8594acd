package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.metric.Comparison;
import org.plant4j.metric.MetricNames;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** What each variant gains or loses against the first (the paper's table 7). */
public record Ablation(StudyRuns runs) implements Analysis {

    private static final List<String> HEADLINE = List.of("P@15", MetricNames.MAP);
    private static final List<String> OTHERS =
            List.of("P@5", "P@8", MetricNames.MICRO_F1, MetricNames.MACRO_F1_GOLD, MetricNames.R_PRECISION);

    /** More could not be told apart by their colours. */
    private static final int MOST_BARS = 6;

    @Override
    public String question() {
        return "What does each variant gain or lose against " + runs.baseline() + "?";
    }

    private int size() {
        return runs.study().sizes().get(0);
    }

    private Optional<Comparison.Row> against(String variant, String metric) {
        return runs.comparison(variant, size()).map(comparison -> comparison.row(metric));
    }

    @Override
    public ReportTable table() {
        return table(HEADLINE);
    }

    private ReportTable table(List<String> metrics) {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("variant")));
        metrics.forEach(metric -> {
            columns.add(ReportTable.Column.highest(metric, 4));
            columns.add(ReportTable.Column.text("difference"));
            columns.add(ReportTable.Column.text("p"));
        });
        ReportTable table = new ReportTable(columns, List.of());
        for (String variant : runs.variants()) {
            List<Object> row = new ArrayList<>(List.of(variant));
            for (String metric : metrics) {
                row.add(StudyFormats.of(runs.summary(variant, size(), metric)));
                row.add(StudyFormats.difference(against(variant, metric)));
                row.add(StudyFormats.p(against(variant, metric)));
            }
            table = table.row(row.toArray());
        }
        return table;
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.trainingDocuments(variant, size());
            for (String metric :
                    Stream.concat(HEADLINE.stream(), OTHERS.stream()).toList()) {
                for (Study.PlannedRun cell : runs.runs(variant, size())) {
                    double value = runs.evaluation(cell).metric(metric);
                    results.add(StudyResult.of(variant, documents, Optional.empty(), cell.seed(), metric, value));
                }
                results.add(StudyResult.of(
                                variant, documents, Optional.empty(), metric, runs.summary(variant, size(), metric))
                        .comparedWith(against(variant, metric)));
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Variants")
                .table(runs.caption(), table())
                .paragraphs("Differences and p are against " + runs.baseline()
                        + ": approximate randomization over documents; "
                        + "where a document changes sides, its results of all seeds do. Nothing is corrected for the "
                        + "number of variants.");
        if (runs.variants().size() <= MOST_BARS) {
            page.charts(HEADLINE.stream().map(this::chart).toArray(String[]::new));
        }
        page.details(
                "Other metrics",
                OTHERS.stream().map(metric -> table(List.of(metric)).toHtml()).reduce("", String::concat));
    }

    private String chart(String metric) {
        BarChart chart = BarChart.titled(metric, List.of("all documents")).yLabel(metric);
        for (String variant : runs.variants()) {
            StudyFormats.bars(chart, variant, List.of(runs.summary(variant, size(), metric)));
        }
        return chart.toSvg();
    }
}
