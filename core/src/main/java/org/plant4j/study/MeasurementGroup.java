package org.plant4j.study;

import java.util.Optional;
import org.plant4j.metric.Comparison;

/**
 * A set of measurements that has its own rows in a study's table, such as one training size or one frequency bucket.
 *
 * @param label the group in tables and charts
 * @param resultGroup the group in the result files, if the study has several
 * @param size the training size of the measured runs, as in the study file
 * @param values the metrics of one run
 * @param tests the comparison of a variant with the baseline
 */
record MeasurementGroup(String label, Optional<String> resultGroup, int size, Values values, Tests tests) {

    /** Returns a metric of a run, or NaN. */
    @FunctionalInterface
    interface Values {
        double value(Study.PlannedRun run, String metric);
    }

    /** Compares a metric of a variant with the baseline; empty if the metric is not tested. */
    @FunctionalInterface
    interface Tests {
        Optional<Comparison.Row> compare(String variant, String metric);
    }

    /** The stored evaluation of the runs on one training size, with significance tests. */
    static MeasurementGroup evaluation(StudyRuns runs, int size) {
        return new MeasurementGroup(
                "all documents",
                Optional.empty(),
                size,
                (run, metric) -> runs.evaluation(run).metric(metric),
                (variant, metric) -> runs.comparison(variant, size).map(comparison -> comparison.row(metric)));
    }

    MeasurementGroup withoutTests() {
        return new MeasurementGroup(label, resultGroup, size, values, (variant, metric) -> Optional.empty());
    }
}
