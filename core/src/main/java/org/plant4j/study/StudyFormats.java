package org.plant4j.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.plant4j.metric.Comparison;
import org.plant4j.report.BarChart;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/** How the numbers of a study stand in its tables and charts. */
final class StudyFormats {

    private static final String NOTHING = "–";

    private StudyFormats() {}

    static ReportTable.Cell of(SampleSummary spread) {
        return ReportTable.Cell.of(spread.mean(), spread.low(), spread.high());
    }

    /** Where a band begins: nothing that is measured here lies below 0. */
    static double low(SampleSummary spread) {
        return Math.max(0, spread.low());
    }

    /** A bar for each group of a chart, with the interval over seeds. */
    static void bars(BarChart chart, String variant, List<SampleSummary> groups) {
        chart.bars(
                variant,
                groups.stream().mapToDouble(SampleSummary::mean).toArray(),
                groups.stream().mapToDouble(StudyFormats::low).toArray(),
                groups.stream().mapToDouble(SampleSummary::high).toArray());
    }

    static String difference(Optional<Comparison.Row> row) {
        return row.map(r -> String.format(Locale.ROOT, "%+.4f", r.difference())).orElse(NOTHING);
    }

    static String p(Optional<Comparison.Row> row) {
        return row.map(r -> p(r.pValue())).orElse(NOTHING);
    }

    static String p(double p) {
        return p < 0.001 ? "<\u00a00.001" : String.format(Locale.ROOT, "%.3f", p);
    }
}
