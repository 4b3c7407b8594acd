package org.plant4j.study;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.plant4j.metric.Comparison;
import org.plant4j.report.ReportTable;
import org.plant4j.statistics.SampleSummary;

/** Formats the numbers of a study for its tables and charts. */
final class StudyFormats {

    private static final String NONE = "–";

    private StudyFormats() {}

    /** A mean with its interval. */
    static ReportTable.Cell cell(SampleSummary summary) {
        return ReportTable.Cell.of(summary.mean(), summary.low(), summary.high());
    }

    /** Means, lower bounds and upper bounds as chart series. No metric is negative, so lower bounds are cut off at 0. */
    static double[][] series(List<SampleSummary> summaries, DoubleUnaryOperator scale) {
        return new double[][] {
            summaries.stream().mapToDouble(SampleSummary::mean).map(scale).toArray(),
            summaries.stream()
                    .mapToDouble(summary -> Math.max(0, summary.low()))
                    .map(scale)
                    .toArray(),
            summaries.stream().mapToDouble(SampleSummary::high).map(scale).toArray()
        };
    }

    /** A difference in percentage points. */
    static String difference(Optional<Comparison.Row> row) {
        return row.map(r -> String.format(Locale.ROOT, "%+.2f", 100 * r.difference()))
                .orElse(NONE);
    }

    static String pValue(Optional<Comparison.Row> row) {
        return row.map(r -> pValue(r.pValue())).orElse(NONE);
    }

    static String pValue(double p) {
        return p < 0.001 ? "<\u00a00.001" : String.format(Locale.ROOT, "%.3f", p);
    }
}
