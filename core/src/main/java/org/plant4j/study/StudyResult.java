package org.plant4j.study;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.plant4j.metric.Comparison;
import org.plant4j.statistics.SampleSummary;

/**
 * One number of a study: of one seed, or of all with its 95 % interval, the difference to the first variant and its
 * p-value. {@code group} is a frequency bucket or an epoch, where the number is of one.
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

    static StudyResult of(
            String variant, long documents, Optional<String> group, long seed, String metric, double value) {
        OptionalDouble none = OptionalDouble.empty();
        return new StudyResult(variant, documents, group, OptionalLong.of(seed), metric, value, none, none, none, none);
    }

    static StudyResult of(String variant, long documents, Optional<String> group, String metric, SampleSummary spread) {
        OptionalDouble none = OptionalDouble.empty();
        return new StudyResult(
                variant,
                documents,
                group,
                OptionalLong.empty(),
                metric,
                spread.mean(),
                finite(spread.low()),
                finite(spread.high()),
                none,
                none);
    }

    StudyResult comparedWith(Optional<Comparison.Row> first) {
        return first.map(row -> comparedWith(row.difference(), row.pValue())).orElse(this);
    }

    StudyResult comparedWith(double newDifference, double newP) {
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
                OptionalDouble.of(newP));
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }
}
