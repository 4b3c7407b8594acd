package org.plant4j.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.plant4j.metric.Comparison;
import org.plant4j.statistics.SampleSummary;

/**
 * One number of a study: of one seed, or the mean over all seeds with its 95 % interval and its difference to the baseline.
 *
 * @param documents the number of training documents
 * @param group the training size, frequency bucket or epoch that the number belongs to
 * @param seed the seed; empty for the mean over all seeds
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record StudyResult(
        String variant,
        long documents,
        Optional<String> group,
        OptionalLong seed,
        String metric,
        double value,
        OptionalDouble low,
        OptionalDouble high,
        OptionalDouble difference,
        OptionalDouble pValue) {

    static StudyResult of(String variant, long documents, String metric, double value) {
        OptionalDouble none = OptionalDouble.empty();
        return new StudyResult(
                variant, documents, Optional.empty(), OptionalLong.empty(), metric, value, none, none, none, none);
    }

    static StudyResult of(String variant, long documents, String metric, SampleSummary summary) {
        return of(variant, documents, metric, summary.mean()).withInterval(summary.low(), summary.high());
    }

    StudyResult inGroup(Optional<String> newGroup) {
        return new StudyResult(variant, documents, newGroup, seed, metric, value, low, high, difference, pValue);
    }

    StudyResult ofSeed(long newSeed) {
        return new StudyResult(
                variant, documents, group, OptionalLong.of(newSeed), metric, value, low, high, difference, pValue);
    }

    /** Infinite and NaN bounds are left out. */
    StudyResult withInterval(double newLow, double newHigh) {
        return new StudyResult(
                variant, documents, group, seed, metric, value, finite(newLow), finite(newHigh), difference, pValue);
    }

    StudyResult comparedWith(Optional<Comparison.Row> baseline) {
        return baseline.map(row -> comparedWith(row.difference(), row.pValue())).orElse(this);
    }

    StudyResult comparedWith(double newDifference, double newPValue) {
        return new StudyResult(
                variant,
                documents,
                group,
                seed,
                metric,
                value,
                low,
                high,
                OptionalDouble.of(newDifference),
                OptionalDouble.of(newPValue));
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
