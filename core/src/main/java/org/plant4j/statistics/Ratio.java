package org.plant4j.statistics;

import java.util.Arrays;
import org.plant4j.metric.GoldRanks;
import org.plant4j.metric.RankingMetric;

/**
 * A metric that is a sum over documents divided by another: a mean (of values by ones) as well as micro-F1 (twice the
 * hits by predicted plus gold). Resampling and permuting documents need no more than the two terms of each.
 */
public final class Ratio {

    private final String name;
    private final double[] numerators;
    private final double[] denominators;
    private final double numerator;
    private final double denominator;

    public Ratio(String name, double[] numerators, double[] denominators) {
        if (numerators.length != denominators.length) {
            throw new IllegalArgumentException(
                    "documents: " + numerators.length + " numerators, " + denominators.length + " denominators");
        }
        this.name = name;
        this.numerators = numerators;
        this.denominators = denominators;
        this.numerator = Arrays.stream(numerators).sum();
        this.denominator = Arrays.stream(denominators).sum();
    }

    /** The mean of a metric over the documents that have gold labels. */
    public static Ratio mean(RankingMetric metric, GoldRanks[] documents) {
        double[] values = new double[documents.length];
        double[] ones = new double[documents.length];
        for (int d = 0; d < documents.length; d++) {
            if (documents[d].goldCount() > 0) {
                values[d] = metric.of(documents[d]);
                ones[d] = 1;
            }
        }
        return new Ratio(metric.name(), values, ones);
    }

    public String name() {
        return name;
    }

    public int documents() {
        return numerators.length;
    }

    /** The sum over all documents. */
    double numerator() {
        return numerator;
    }

    /** The sum over all documents. */
    double denominator() {
        return denominator;
    }

    double numerator(int document) {
        return numerators[document];
    }

    double denominator(int document) {
        return denominators[document];
    }

    /** 0 where there is nothing to divide by, as scikit-learn's {@code zero_division=0}. */
    public double value() {
        return divide(numerator, denominator);
    }

    public static double divide(double numerator, double denominator) {
        return denominator == 0 ? 0 : numerator / denominator;
    }
}
