package org.plant4j.statistics;

import java.util.Arrays;
import org.plant4j.support.Arguments;

/**
 * A metric that is the quotient of two sums over documents, such as a mean (sum of values / number of documents) or
 * micro-F1 (2 × hits / (predicted + gold)). The terms per document are all that resampling and permuting documents need.
 */
public final class Ratio {

    private final String name;
    private final double[] numerators;
    private final double[] denominators;
    private final double numerator;
    private final double denominator;

    public Ratio(String name, double[] numerators, double[] denominators) {
        Arguments.check(
                numerators.length == denominators.length, "denominators", denominators.length, "" + numerators.length);
        this.name = name;
        this.numerators = numerators;
        this.denominators = denominators;
        this.numerator = Arrays.stream(numerators).sum();
        this.denominator = Arrays.stream(denominators).sum();
    }

    public String name() {
        return name;
    }

    /** The number of documents. */
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

    public double value() {
        return divide(numerator, denominator);
    }

    /** The quotient, or 0 if the denominator is 0, like {@code zero_division=0} in scikit-learn. */
    public static double divide(double numerator, double denominator) {
        return denominator == 0 ? 0 : numerator / denominator;
    }
}
