package org.plant4j.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.metric.MetricNames;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/**
 * What each factor of a grid of variants is worth, by the mean over all variants that share it, and how many and how
 * various codes each variant gives (tables 3 and 5 of the label description attention paper).
 */
final class VariantGrid implements Analysis {

    private static final List<String> METRICS = List.of(
            MetricNames.MAP,
            MetricNames.MICRO_F1,
            MetricNames.MICRO_PRECISION,
            MetricNames.MICRO_RECALL,
            MetricNames.PREDICTED_PER_DOCUMENT,
            MetricNames.PREDICTED_LABELS);

    private final StudyRuns runs;
    private final int size;

    VariantGrid(StudyRuns runs) {
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
    private SampleSummary spread(List<String> variants, String metric) {
        return SampleSummary.of(runs.study().seeds().stream()
                .mapToDouble(seed -> variants.stream()
                        .flatMap(variant -> runs.runs(variant, size).stream())
                        .filter(cell -> cell.seed() == seed)
                        .mapToDouble(cell -> runs.evaluation(cell).metric(metric))
                        .average()
                        .orElse(Double.NaN))
                .toArray());
    }

    @Override
    public ReportTable table() {
        return factors().isEmpty() ? ofVariants() : ofFactors();
    }

    private ReportTable ofFactors() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(
                ReportTable.Column.text("factor"),
                ReportTable.Column.text("value"),
                ReportTable.Column.number("variants", 0)));
        columns.addAll(metricColumns());
        ReportTable table = new ReportTable(columns, List.of());
        for (Map.Entry<String, Map<String, List<String>>> factor : factors().entrySet()) {
            for (Map.Entry<String, List<String>> value : factor.getValue().entrySet()) {
                List<Object> row = new ArrayList<>(List.of(
                        factor.getKey(), value.getKey(), value.getValue().size()));
                METRICS.forEach(metric -> row.add(StudyFormats.of(spread(value.getValue(), metric))));
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    private ReportTable ofVariants() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(ReportTable.Column.text("variant")));
        columns.addAll(metricColumns());
        ReportTable table = new ReportTable(columns, List.of());
        for (String variant : runs.variants()) {
            List<Object> row = new ArrayList<>(List.of(variant));
            METRICS.forEach(metric -> row.add(StudyFormats.of(runs.summary(variant, size, metric))));
            table = table.row(row.toArray());
        }
        return table;
    }

    private static List<ReportTable.Column> metricColumns() {
        return METRICS.stream()
                .map(metric -> switch (metric) {
                    case MetricNames.PREDICTED_PER_DOCUMENT -> ReportTable.Column.number("codes per document", 1);
                    case MetricNames.PREDICTED_LABELS -> ReportTable.Column.number("distinct codes", 1);
                    default -> ReportTable.Column.number(metric, 4);
                })
                .toList();
    }

    @Override
    public List<StudyResult> results() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.trainingDocuments(variant, size);
            for (String metric : METRICS) {
                for (Study.PlannedRun cell : runs.runs(variant, size)) {
                    double value = runs.evaluation(cell).metric(metric);
                    results.add(StudyResult.of(variant, documents, Optional.empty(), cell.seed(), metric, value));
                }
                results.add(StudyResult.of(
                        variant, documents, Optional.empty(), metric, runs.summary(variant, size, metric)));
            }
        }
        factors()
                .forEach((factor, values) ->
                        values.forEach((value, variants) -> METRICS.forEach(metric -> results.add(StudyResult.of(
                                value,
                                runs.trainingDocuments(variants.get(0), size),
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
                    .paragraphs("Each row is the mean over all variants that share the value, whatever else they are.");
        }
        page.section("Variants")
                .table(runs.caption(), ofVariants())
                .paragraphs("Codes per document and distinct codes are of those above the threshold, over all "
                        + runs.split() + " documents: many codes a document and few distinct ones are the same codes "
                        + "over and over.");
    }
}
