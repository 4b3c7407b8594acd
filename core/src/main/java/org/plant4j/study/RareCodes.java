package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.eval.BarChart;
import org.plant4j.eval.Comparison;
import org.plant4j.eval.FrequencyBucket;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.Predictions;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;
import org.plant4j.text.Labels;

/** How each variant does on codes that training shows seldom (after the paper's table 5). */
final class RareCodes implements Analysis {

    private static final List<String> METRICS = List.of(
            Metrics.MICRO_F1,
            Metrics.MACRO_F1_GOLD,
            Metrics.MICRO_RECALL,
            Metrics.MAP,
            Metrics.MICRO_AUC,
            Metrics.MACRO_AUC);

    /** A table with all of them would be too wide; the results hold them. */
    private static final Set<String> INTERVALS = Set.of(Metrics.MICRO_F1, Metrics.MAP);

    private final Runs runs;
    private final int size;
    private final Map<String, Comparison.Row> tests = new HashMap<>();

    RareCodes(Runs runs) {
        this.runs = runs;
        this.size = runs.study().sizes().get(0);
    }

    @Override
    public String question() {
        return "How does each variant do on codes that training shows seldom?";
    }

    /** Those that hold a gold code; an unseen code no variant can find. */
    private List<FrequencyBucket> buckets() {
        return runs.evaluation(runs.of(runs.first(), size).get(0)).buckets().stream()
                .filter(bucket -> bucket.maximum() > 0)
                .filter(bucket -> bucket.metrics().getOrDefault(Metrics.GOLD_LABELS, 0.0) > 0)
                .toList();
    }

    private Spread spread(String variant, FrequencyBucket bucket, String metric) {
        return runs.spread(variant, size, (Study.Cell cell) -> value(cell, bucket, metric));
    }

    private double value(Study.Cell cell, FrequencyBucket wanted, String metric) {
        return runs.evaluation(cell).buckets().stream()
                .filter(bucket -> bucket.name().equals(wanted.name()))
                .mapToDouble(bucket -> bucket.metrics().getOrDefault(metric, Double.NaN))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Micro-F1 of the bucket's codes alone, against the first variant. */
    private Optional<Comparison.Row> against(String variant, FrequencyBucket bucket) {
        if (variant.equals(runs.first())) {
            return Optional.empty();
        }
        return Optional.of(tests.computeIfAbsent(
                variant + "\t" + bucket.name(),
                key -> Comparison.of(
                                runs.first(),
                                within(runs.first(), bucket),
                                variant,
                                within(variant, bucket),
                                List.of(),
                                Runs.test())
                        .row(Metrics.MICRO_F1)));
    }

    private List<Predictions> within(String variant, FrequencyBucket bucket) {
        Labels labels = runs.labels(size);
        return runs.predictions(variant, size).stream()
                .map(predictions -> predictions.only(code -> {
                    int frequency = labels.id(code).isPresent()
                            ? labels.frequency(labels.id(code).getAsInt())
                            : 0;
                    return frequency >= bucket.minimum() && frequency <= bucket.maximum();
                }))
                .toList();
    }

    @Override
    public Table table() {
        List<Table.Column> columns = new ArrayList<>(List.of(
                Table.Column.text("training documents"),
                Table.Column.number("codes", 0),
                Table.Column.text("variant")));
        METRICS.forEach(metric -> {
            columns.add(Table.Column.number(metric, 4));
            if (metric.equals(Metrics.MICRO_F1)) {
                columns.add(Table.Column.text("p"));
            }
        });
        Table table = new Table(columns, List.of());
        for (FrequencyBucket bucket : buckets()) {
            for (String variant : runs.variants()) {
                List<Object> row = new ArrayList<>(List.of(
                        bucket.name(), bucket.metrics().getOrDefault(Metrics.GOLD_LABELS, Double.NaN), variant));
                for (String metric : METRICS) {
                    Spread spread = spread(variant, bucket, metric);
                    row.add(INTERVALS.contains(metric) ? Cells.of(spread) : spread.mean());
                    if (metric.equals(Metrics.MICRO_F1)) {
                        row.add(Cells.p(against(variant, bucket)));
                    }
                }
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (FrequencyBucket bucket : buckets()) {
            Optional<String> group = Optional.of(bucket.name());
            for (String variant : runs.variants()) {
                long documents = runs.documents(variant, size);
                for (String metric : METRICS) {
                    for (Study.Cell cell : runs.of(variant, size)) {
                        double value = value(cell, bucket, metric);
                        results.add(Result.of(variant, documents, group, cell.seed(), metric, value));
                    }
                    Result all = Result.of(variant, documents, group, metric, spread(variant, bucket, metric));
                    results.add(metric.equals(Metrics.MICRO_F1) ? all.against(against(variant, bucket)) : all);
                }
            }
        }
        return results;
    }

    @Override
    public void report(ReportPage page) {
        page.section("By frequency")
                .charts(chart(Metrics.MICRO_F1), chart(Metrics.MAP))
                .table(runs.caption(), table())
                .prose("By how many training documents carry a code; every other code is taken away from gold, "
                        + "predictions and ranking alike. p: of micro-F1 against " + runs.first()
                        + ", by approximate randomization over documents.");
    }

    private String chart(String metric) {
        BarChart chart = BarChart.titled(
                        metric + " by code frequency",
                        buckets().stream().map(FrequencyBucket::name).toList())
                .x("training documents with the code")
                .y(metric);
        for (String variant : runs.variants()) {
            Cells.bars(
                    chart,
                    variant,
                    buckets().stream()
                            .map(bucket -> spread(variant, bucket, metric))
                            .toList());
        }
        return chart.toSvg();
    }
}
