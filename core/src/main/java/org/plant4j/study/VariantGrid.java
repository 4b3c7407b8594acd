package org.plant4j.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.MetricNames;
import org.plant4j.metric.Predictions;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/**
 * The effect of each factor in a grid of variants, as the mean over all variants with the same value of the factor, and the
 * number and diversity of predicted labels (tables 3 and 5 of the label description attention paper).
 */
final class VariantGrid implements Analysis {

    private static final List<MetricColumn> COLUMNS = List.of(
            MetricColumn.of(MetricNames.MAP).withInterval(),
            MetricColumn.of(MetricNames.MICRO_F1).withInterval(),
            MetricColumn.of(MetricNames.MICRO_PRECISION).withInterval(),
            MetricColumn.of(MetricNames.MICRO_RECALL).withInterval(),
            MetricColumn.of(MetricNames.PREDICTED_PER_DOCUMENT).withInterval(),
            MetricColumn.of(MetricNames.PREDICTED_LABELS).withInterval());

    private final StudyRuns runs;
    private final MeasurementGroup all;
    private final MetricMatrix matrix;

    VariantGrid(StudyRuns runs) {
        this.runs = runs;
        this.all = MeasurementGroup.evaluation(runs, runs.firstSize()).withoutTests();
        this.matrix = new MetricMatrix(runs, List.of(all));
    }

    /** The variants by factor and value, in the order of the study file. */
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

    /** Summarizes over the seeds the mean over the variants. */
    private SampleSummary summary(List<String> variants, String metric) {
        return SampleSummary.of(runs.study().seeds().stream()
                .mapToDouble(seed -> variants.stream()
                        .flatMap(variant -> runs.runs(variant, all.size()).stream())
                        .filter(run -> run.seed() == seed)
                        .mapToDouble(run -> all.values().value(run, metric))
                        .average()
                        .orElse(Double.NaN))
                .toArray());
    }

    @Override
    public String question() {
        return "How does each variant perform, and how many and how diverse labels does it predict?";
    }

    @Override
    public ReportTable table() {
        return factors().isEmpty() ? matrix.table(COLUMNS) : factorTable();
    }

    private ReportTable factorTable() {
        List<ReportTable.Column> columns = new ArrayList<>(List.of(
                ReportTable.Column.text("factor"),
                ReportTable.Column.text("value"),
                ReportTable.Column.number("variants", 0)));
        COLUMNS.forEach(metric -> columns.add(metric.column()));
        ReportTable table = new ReportTable(columns, List.of());
        for (Map.Entry<String, Map<String, List<String>>> factor : factors().entrySet()) {
            for (Map.Entry<String, List<String>> value : factor.getValue().entrySet()) {
                List<Object> row = new ArrayList<>(List.of(
                        factor.getKey(), value.getKey(), value.getValue().size()));
                COLUMNS.forEach(metric -> row.add(StudyFormats.cell(summary(value.getValue(), metric.metric()))));
                table = table.row(row.toArray());
            }
        }
        return table;
    }

    /** How varied the best labels of the documents are, as the mean over the seeds. */
    private ReportTable diversityTable() {
        ReportTable table = ReportTable.of(
                ReportTable.Column.text("variant"),
                ReportTable.Column.number("sets of 15", 1),
                ReportTable.Column.number("orders of 15", 1),
                ReportTable.Column.number("sets of 25", 1),
                ReportTable.Column.number("orders of 25", 1));
        for (String variant : runs.variants()) {
            table = table.row(
                    variant,
                    diversity(variant, predictions -> predictions.distinctTopSets(15)),
                    diversity(variant, predictions -> predictions.distinctTopOrders(15)),
                    diversity(variant, predictions -> predictions.distinctTopSets(25)),
                    diversity(variant, predictions -> predictions.distinctTopOrders(25)));
        }
        return table;
    }

    private double diversity(String variant, ToDoubleFunction<Predictions> count) {
        return runs.predictions(variant, all.size()).stream()
                .mapToDouble(count)
                .average()
                .orElse(Double.NaN);
    }

    private List<StudyResult> diversityResults() {
        List<StudyResult> results = new ArrayList<>();
        for (String variant : runs.variants()) {
            long documents = runs.trainingDocuments(variant, all.size());
            for (int k : new int[] {15, 25}) {
                results.add(StudyResult.of(
                        variant, documents, "sets of " + k, diversity(variant, p -> p.distinctTopSets(k))));
                results.add(StudyResult.of(
                        variant, documents, "orders of " + k, diversity(variant, p -> p.distinctTopOrders(k))));
            }
        }
        return results;
    }

    @Override
    public List<StudyResult> results() {
        List<String> metrics = COLUMNS.stream().map(MetricColumn::metric).toList();
        List<StudyResult> results = new ArrayList<>(matrix.results(metrics));
        results.addAll(diversityResults());
        factors()
                .forEach((factor, values) -> values.forEach((value, variants) -> metrics.forEach(metric -> {
                    long documents = runs.trainingDocuments(variants.get(0), all.size());
                    results.add(StudyResult.of(value, documents, metric, summary(variants, metric))
                            .inGroup(Optional.of(factor)));
                })));
        return results;
    }

    @Override
    public void report(ReportPage page) {
        if (!factors().isEmpty()) {
            page.section("Factors")
                    .table(runs.caption(), factorTable())
                    .paragraphs("Each row is the mean over all variants with the value.");
        }
        page.section("Variants")
                .table(runs.caption(), matrix.table(COLUMNS))
                .table(
                        "Different sets and orders of the best labels; few mean that most documents get the same",
                        diversityTable())
                .paragraphs("Labels per document and distinct labels count predicted labels over all " + runs.split()
                        + " documents. Many labels per document but few distinct labels mean that a variant predicts the "
                        + "same labels for most documents.");
    }
}
