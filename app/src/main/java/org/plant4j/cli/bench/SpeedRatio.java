package org.plant4j.cli.bench;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * How many times faster one build is than another: the geometric mean of the ratios of paired times, with a 95 % confidence
 * interval from Student's distribution of their logarithms.
 */
record SpeedRatio(double mean, double low, double high) {

    /** Quantiles 0.975 of Student's distribution with 1, 2, … degrees of freedom. */
    private static final double[] STUDENT = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};

    private static final double NORMAL = 1.96;

    /** Times of the earlier and the present build in the same turns; with one turn the interval is unbounded. */
    static SpeedRatio of(double[] earlier, double[] present) {
        Arguments.check(
                earlier.length > 0 && earlier.length == present.length, "times", present.length, "" + earlier.length);
        int turns = earlier.length;
        double[] logs = IntStream.range(0, turns)
                .mapToDouble(turn -> Math.log(earlier[turn] / present[turn]))
                .toArray();
        double mean = Arrays.stream(logs).average().orElseThrow();
        double squares =
                Arrays.stream(logs).map(log -> (log - mean) * (log - mean)).sum();
        double margin = turns == 1
                ? Double.POSITIVE_INFINITY
                : (turns - 2 < STUDENT.length ? STUDENT[turns - 2] : NORMAL) * Math.sqrt(squares / (turns - 1) / turns);
        return new SpeedRatio(Math.exp(mean), Math.exp(mean - margin), Math.exp(mean + margin));
    }
}
