package org.plant4j.calibration;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * Isotonic regression (Zadrozny and Elkan, Transforming Classifier Scores into Accurate Multiclass Probability Estimates,
 * KDD 2002), fitted by pooling adjacent violators. Probabilities are interpolated linearly between knots and constant
 * outside of them, like scikit-learn's {@code IsotonicRegression(out_of_bounds="clip")}.
 */
@SuppressWarnings("ArrayRecordComponent") // plain arrays for fast lookup; copied defensively, compared by content
public record IsotonicRegression(double[] scores, double[] probabilities) implements Calibrator {

    public IsotonicRegression {
        Arguments.atLeast(1, "scores", scores.length);
        Arguments.check(
                probabilities.length == scores.length, "probabilities", probabilities.length, "" + scores.length);
        for (int i = 0; i < scores.length; i++) {
            boolean rises = i == 0 || (scores[i] > scores[i - 1] && probabilities[i] >= probabilities[i - 1]);
            Arguments.check(
                    rises && probabilities[i] >= 0 && probabilities[i] <= 1,
                    "knot " + i,
                    scores[i] + " to " + probabilities[i],
                    "rising, probabilities from 0 to 1");
        }
        scores = scores.clone();
        probabilities = probabilities.clone();
    }

    /** Fits n pairs. Probabilities stay within [1 / (n + 2), 1 - 1 / (n + 2)], because finite data never proves certainty. */
    public static IsotonicRegression fit(double[] scores, boolean[] correct) {
        int[] order = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] start = new double[order.length]; // per block: first score, last score, hits, pairs
        double[] end = new double[order.length];
        long[] hits = new long[order.length];
        long[] pairs = new long[order.length];
        int blocks = 0;
        for (int i : order) {
            boolean tied = blocks > 0 && pairs[blocks - 1] > 0 && end[blocks - 1] == scores[i];
            if (!tied) {
                blocks = pool(end, hits, pairs, blocks); // the previous block is complete
                start[blocks] = scores[i];
                end[blocks] = scores[i];
                hits[blocks] = 0;
                pairs[blocks] = 0;
                blocks++;
            }
            hits[blocks - 1] += correct[i] ? 1 : 0;
            pairs[blocks - 1]++;
        }
        return knots(start, end, hits, pairs, pool(end, hits, pairs, blocks));
    }

    /** Merges the last block into the previous ones while its mean is not higher; returns the number of blocks. */
    private static int pool(double[] end, long[] hits, long[] pairs, int blocks) {
        int last = blocks - 1;
        while (last > 0 && hits[last] * pairs[last - 1] <= hits[last - 1] * pairs[last]) {
            end[last - 1] = end[last];
            hits[last - 1] += hits[last];
            pairs[last - 1] += pairs[last];
            last--;
        }
        return last + 1;
    }

    private static IsotonicRegression knots(double[] start, double[] end, long[] hits, long[] pairs, int blocks) {
        double minimum = 1.0 / (Arrays.stream(pairs, 0, blocks).sum() + 2);
        double[] scores = new double[2 * blocks];
        double[] probabilities = new double[2 * blocks];
        int size = 0;
        for (int b = 0; b < blocks; b++) {
            double probability = Math.min(Math.max((double) hits[b] / pairs[b], minimum), 1 - minimum);
            scores[size] = start[b];
            probabilities[size++] = probability;
            if (end[b] > start[b]) {
                scores[size] = end[b];
                probabilities[size++] = probability;
            }
        }
        return new IsotonicRegression(Arrays.copyOf(scores, size), Arrays.copyOf(probabilities, size));
    }

    @Override
    public double probability(double score) {
        int position = Arrays.binarySearch(scores, score);
        if (position >= 0) {
            return probabilities[position];
        }
        int above = -position - 1;
        if (above == 0 || above == scores.length) {
            return probabilities[above == 0 ? 0 : above - 1];
        }
        double fraction = (score - scores[above - 1]) / (scores[above] - scores[above - 1]);
        return probabilities[above - 1] + fraction * (probabilities[above] - probabilities[above - 1]);
    }

    @Override
    public String method() {
        return "isotonic";
    }

    @Override
    public BiFunction<double[], boolean[], Calibrator> fitter() {
        return IsotonicRegression::fit;
    }

    @Override
    public double[] scores() {
        return scores.clone();
    }

    @Override
    public double[] probabilities() {
        return probabilities.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IsotonicRegression isotonic
                && Arrays.equals(scores, isotonic.scores)
                && Arrays.equals(probabilities, isotonic.probabilities);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(scores) + Arrays.hashCode(probabilities);
    }

    @Override
    public String toString() {
        return "isotonic: " + scores.length + " knots";
    }
}
