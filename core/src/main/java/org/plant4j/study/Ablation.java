package org.plant4j.study;

import java.util.List;
import java.util.stream.Stream;
import org.plant4j.MetricNames;
import org.plant4j.report.ReportPage;
import org.plant4j.report.ReportTable;

/** The difference of each variant to the baseline (table 7 of the PLANT paper). */
final class Ablation implements Analysis {

    private static final List<String> HEADLINE = List.of("P@15", MetricNames.MAP);
    private static final List<String> OTHERS =
            List.of("P@5", "P@8", MetricNames.MICRO_F1, MetricNames.MACRO_F1_GOLD, MetricNames.R_PRECISION);

    /** The number of distinguishable colours. */
    private static final int MAX_BARS = 6;

    private final StudyRuns runs;
    private final MetricMatrix matrix;

    Ablation(StudyRuns runs) {
        this.runs = runs;
        this.matrix = new MetricMatrix(runs, List.of(MeasurementGroup.evaluation(runs, runs.firstSize())));
    }

    @Override
    public String question() {
        return "How does each variant differ from " + runs.baseline() + "?";
    }

    @Override
    public ReportTable table() {
        return table(HEADLINE);
    }

    private ReportTable table(List<String> metrics) {
        return matrix.table(metrics.stream()
                .map(metric -> MetricColumn.of(metric, ReportTable.Column.highestPercent(metric))
                        .withInterval()
                        .withDifference()
                        .withPValue())
                .toList());
    }

    @Override
    public List<StudyResult> results() {
        return matrix.results(Stream.concat(HEADLINE.stream(), OTHERS.stream()).toList());
    }

    @Override
    public void report(ReportPage page) {
        page.section("Variants")
                .table(runs.caption(), table())
                .paragraphs("Differences are percentage points to " + runs.baseline()
                        + "; p-values by approximate randomization over documents, all seeds of a document swapped "
                        + "together, without correction for multiple comparisons.");
        if (runs.variants().size() <= MAX_BARS) {
            page.charts(HEADLINE.stream()
                    .map(metric -> matrix.barChart(metric, "", metric))
                    .toArray(String[]::new));
        }
        page.details(
                "Other metrics",
                OTHERS.stream().map(metric -> table(List.of(metric)).toHtml()).reduce("", String::concat));
    }
}
