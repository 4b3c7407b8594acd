package org.plant4j.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.eval.Metrics;
import org.plant4j.eval.ReportPage;
import org.plant4j.eval.Spread;
import org.plant4j.eval.Table;

/**
 * What each factor of a grid of variants is worth, by the mean over all variants that share it, and how many and how
 * various codes each variant gives (tables 3 and 5 of the label description attention paper).
 */
final class Variants implements Analysis {

    private static final List<String> METRICS = List.of(
            Metrics.MAP,
            Metrics.MICRO_F1,
            Metrics.MICRO_PRECISION,
            Metrics.MICRO_RECALL,
            Metrics.PREDICTED_PER_DOCUMENT,
            Metrics.PREDICTED_LABELS);

    private final Runs runs;
    private final int size;

    Variants(Runs runs) {
        this.runs = runs;
        this.size = runs.study().sizes().get(0);
    }

    @Override
    public String question() {
        return "What is each variant worth, and how many and how various codes does it give?";
    }

    /** The variants of each value of each factor, as the file names them. */
    private Map<String, Map<String, List<String>>> factors() {
        Map<String, Map<String, List<String>>> factors = new LinkedHashMap<>();
        runs.study()
                .variants()
                .forEach((name, variant) -> variant.factors()
                        .forEach((factor, value) -> factors.computeIfAbsent(factor, key -> new LinkedHashMap<>())
                                .computeIfAbsent(value, key -> new ArrayList<>())
                                .add(name)));
        return factors;
    }

    /** Over seeds, of each the mean over the variants. */
    private Spread spread(List<String> variants, String metric) {
        return Spread.of(runs.study().seeds().stream()
                .mapToDouble(seed -> variants.stream()
                        .flatMap(variant -> runs.of(variant, size).stream())
                        .filter(cell -> cell.seed() == seed)
                        .mapToDouble(cell -> runs.evaluation(cell).metric(metric))
                        .average()
                        .orElse(Double.NaN))
                .toArray());
    }

    @Override
    public Table table() {
        return factors().isEmpty() ? ofVariants() : ofFactors();
    }

    private Table ofFactors() {
        List<Table.Column> columns = new ArrayList<>(
                List.of(Table.Column.text("factor"), Table.Column.text("value"), Table.Column.number("variants", 0)));
        columns.addAll(metricColumns());
        Table table = new Table(columns, List.of());
        for (Map.Entry<String, Map<String, List<String>>> factor : factors().entrySet()) {
            for (Map.Entry<String, List<String>> value : factor.getValue().entrySet()) {
                List<Object> row = new ArrayList<>(List.of(
                        factor.getKey(), value.getKey(), value.getValue().size()));
                METRICS.forEach(metric -> row.add(Cells.of(spread(value.getValue(), metric))));
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    private Table ofVariants() {
        List<Table.Column> columns = new ArrayList<>(List.of(Table.Column.text("variant")));
        columns.addAll(metricColumns());
        Table table = new Table(columns, List.of());
        for (String variant : runs.variants()) {
            List<Object> row = new ArrayList<>(List.of(variant));
            METRICS.forEach(metric -> row.add(Cells.of(runs.spread(variant, size, metric))));
            table = table.row(row.toArray());
        }
        return table;
    }

    private static List<Table.Column> metricColumns() {
        return METRICS.stream()
                .map(metric -> switch (metric) {
                    case Metrics.PREDICTED_PER_DOCUMENT -> Table.Column.number("codes per document", 1);
                    case Metrics.PREDICTED_LABELS -> Table.Column.number("distinct codes", 1);
                    default -> Table.Column.number(metric, 4);
                })
                .toList();
    }

    @Override
    public List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.documents(variant, size);
            for (String metric : METRICS) {
                for (Study.Cell cell : runs.of(variant, size)) {
                    double value = runs.evaluation(cell).metric(metric);
                    results.add(Result.of(variant, documents, Optional.empty(), cell.seed(), metric, value));
                }
                results.add(
                        Result.of(variant, documents, Optional.empty(), metric, runs.spread(variant, size, metric)));
            }
        }
        factors()
                .forEach((factor, values) ->
                        values.forEach((value, variants) -> METRICS.forEach(metric -> results.add(Result.of(
                                value,
                                runs.documents(variants.get(0), size),
                                Optional.of(factor),
                                metric,
                                spread(variants, metric))))));
        return results;
    }

    @Override
    public void report(ReportPage page) {
        if (!factors().isEmpty()) {
            page.section("Factors")
                    .table(runs.caption(), ofFactors())
                    .prose("Each row is the mean over all variants that share the value, whatever else they are.");
        }
        page.section("Variants")
                .table(runs.caption(), ofVariants())
                .prose("Codes per document and distinct codes are of those above the threshold, over all "
                        + runs.part() + " documents: many codes a document and few distinct ones are the same codes "
                        + "over and over.");
    }
}
