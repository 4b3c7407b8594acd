package org.plant4j.statistics;

import java.util.Arrays;

/** Mean, sample standard deviation and Student's 95 % confidence interval of a metric over several runs. */
public record SampleSummary(double mean, double deviation, double low, double high, int runs) {

    /** 97.5 % quantiles of Student's t distribution with 1, 2, … degrees of freedom. */
    private static final double[] T_QUANTILES = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
        2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
    };

    /** The limit for many degrees of freedom. */
    private static final double NORMAL_QUANTILE = 1.960;

    /** With fewer than two values, the deviation and the interval are NaN. */
    public static SampleSummary of(double... values) {
        int n = values.length;
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        if (n < 2) {
            return new SampleSummary(mean, Double.NaN, Double.NaN, Double.NaN, n);
        }
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        double deviation = Math.sqrt(squares / (n - 1));
        double quantile = n - 2 < T_QUANTILES.length ? T_QUANTILES[n - 2] : NORMAL_QUANTILE;
        double margin = quantile * deviation / Math.sqrt(n);
        return new SampleSummary(mean, deviation, mean - margin, mean + margin, n);
    }
}
