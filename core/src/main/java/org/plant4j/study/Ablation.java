package org.plant4j.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Table;

/** What each variant gains or loses against the first (the paper's table 7). */
record Ablation(Runs runs) implements Analysis {

    private static final List<String> HEADLINE = List.of("P@15", Metrics.MAP);
    private static final List<String> OTHERS =
            List.of("P@5", "P@8", Metrics.MICRO_F1, Metrics.MACRO_F1_GOLD, Metrics.R_PRECISION);

    /** More could not be told apart by their colours. */
    private static final int MOST_BARS = 6;

    @Override
    public String question() {
        return "What does each variant gain or lose against " + runs.first() + "?";
    }

    private int size() {
        return runs.study().sizes().get(0);
    }

    private Optional<Comparison.Row> against(String variant, String metric) {
        return runs.comparison(variant, size()).map(comparison -> comparison.row(metric));
    }

    @Override
    public Table table() {
        return table(HEADLINE);
    }

    private Table table(List<String> metrics) {
        List<Table.Column> columns = new ArrayList<>(List.of(Table.Column.text("variant")));
        metrics.forEach(metric -> {
            columns.add(Table.Column.highest(metric, 4));
            columns.add(Table.Column.text("difference"));
            columns.add(Table.Column.text("p"));
        });
        Table table = new Table(columns, List.of());
        for (String variant : runs.variants()) {
            List<Object> row = new ArrayList<>(List.of(variant));
            for (String metric : metrics) {
                row.add(Cells.of(runs.spread(variant, size(), metric)));
                row.add(Cells.difference(against(variant, metric)));
                row.add(Cells.p(against(variant, metric)));
            }
            table = table.row(row.toArray());
        }
        return table;
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.documents(variant, size());
            for (String metric :
                    Stream.concat(HEADLINE.stream(), OTHERS.stream()).toList()) {
                for (Study.Cell cell : runs.of(variant, size())) {
                    double value = runs.evaluation(cell).metric(metric);
                    results.add(Result.of(variant, documents, Optional.empty(), cell.seed(), metric, value));
                }
                results.add(
                        Result.of(variant, documents, Optional.empty(), metric, runs.spread(variant, size(), metric))
                                .against(against(variant, metric)));
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("Variants")
                .table(runs.caption(), table())
                .prose("Differences and p are against " + runs.first() + ": approximate randomization over documents; "
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
        BarChart chart = BarChart.titled(metric, List.of("all documents")).y(metric);
        for (String variant : runs.variants()) {
            Cells.bars(chart, variant, List.of(runs.spread(variant, size(), metric)));
        }
        return chart.toSvg();
    }
}
