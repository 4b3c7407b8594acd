package org.plant4j.statistics;

import java.util.Arrays;

/** What several runs of one method reached: mean, sample standard deviation, and Student's 95 % interval of the mean. */
public record SampleSummary(double mean, double deviation, double low, double high, int runs) {

    /** The 97.5 % quantiles of Student's distribution for 1, 2, … degrees of freedom. */
    private static final double[] STUDENT = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    private static final double NORMAL = 1.960;

    /** One value alone has a mean and no interval: its ends, like the deviation, are NaN. */
    public static SampleSummary of(double... values) {
        int n = values.length;
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        if (n < 2) {
            return new SampleSummary(mean, Double.NaN, Double.NaN, Double.NaN, n);
        }
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        double deviation = Math.sqrt(squares / (n - 1));
        double quantile = n - 2 < STUDENT.length ? STUDENT[n - 2] : NORMAL;
        double room = quantile * deviation / Math.sqrt(n);
        return new SampleSummary(mean, deviation, mean - room, mean + room, n);
    }
}
