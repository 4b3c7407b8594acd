package org.plant4j.study;

import org.plant4j.MetricNames;
import org.plant4j.report.ReportTable;

/**
 * A metric and how a study's table shows it: the mean over seeds, optionally with its interval, the difference to the
 * baseline and the p-value of the difference.
 */
record MetricColumn(String metric, ReportTable.Column column, boolean interval, boolean difference, boolean pValue) {

    /** Percent, or one decimal place for counts. */
    static MetricColumn of(String metric) {
        return of(
                metric,
                switch (metric) {
                    case MetricNames.PREDICTED_PER_DOCUMENT -> ReportTable.Column.number("labels per document", 1);
                    case MetricNames.PREDICTED_LABELS -> ReportTable.Column.number("distinct labels", 1);
                    default -> ReportTable.Column.percent(metric);
                });
    }

    static MetricColumn of(String metric, ReportTable.Column column) {
        return new MetricColumn(metric, column, false, false, false);
    }

    MetricColumn withInterval() {
        return new MetricColumn(metric, column, true, difference, pValue);
    }

    MetricColumn withDifference() {
        return new MetricColumn(metric, column, interval, true, pValue);
    }

    MetricColumn withPValue() {
        return new MetricColumn(metric, column, interval, difference, true);
    }
}
