package org.plant4j.calibration;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The non-decreasing function nearest to what was right (Zadrozny and Elkan, Transforming Classifier Scores into Accurate
 * Multiclass Probability Estimates, KDD 2002), found by pooling adjacent violators: straight lines between knots, level
 * beyond the outermost.
 */
@SuppressWarnings("ArrayRecordComponent") // looked up a hundred times a note; copied in and out, compared by content
public record IsotonicRegression(double[] scores, double[] probabilities) implements Calibrator {

    public IsotonicRegression {
        if (scores.length == 0 || scores.length != probabilities.length) {
            throw new IllegalArgumentException("knots: " + scores.length + " scores, " + probabilities.length
                    + " probabilities (expected: as many, >= 1)");
        }
        for (int i = 0; i < scores.length; i++) {
            boolean rises = i == 0 || (scores[i] > scores[i - 1] && probabilities[i] >= probabilities[i - 1]);
            if (!rises || !(probabilities[i] >= 0 && probabilities[i] <= 1)) {
                throw new IllegalArgumentException("knot " + i + ": " + scores[i] + " to " + probabilities[i]
                        + " (expected: rising, probabilities from 0 to 1)");
            }
        }
        scores = scores.clone();
        probabilities = probabilities.clone();
    }

    /**
     * Fits n pairs. No probability is nearer to 0 or 1 than 1 / (n + 2): a block of pairs that were all right is no
     * proof that the next one will be.
     */
    public static IsotonicRegression fit(double[] scores, boolean[] right) {
        int[] order = IntStream.range(0, scores.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> scores[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] start = new double[order.length]; // of a block: its first score, its last, hits, pairs
        double[] end = new double[order.length];
        long[] hits = new long[order.length];
        long[] pairs = new long[order.length];
        int blocks = 0;
        for (int i : order) {
            boolean tied = blocks > 0 && pairs[blocks - 1] > 0 && end[blocks - 1] == scores[i];
            if (!tied) {
                blocks = pool(end, hits, pairs, blocks); // what came before is complete only now
                start[blocks] = scores[i];
                end[blocks] = scores[i];
                hits[blocks] = 0;
                pairs[blocks] = 0;
                blocks++;
            }
            hits[blocks - 1] += right[i] ? 1 : 0;
            pairs[blocks - 1]++;
        }
        return knots(start, end, hits, pairs, pool(end, hits, pairs, blocks));
    }

    /** Merges the last block into those before it as long as it lies no higher. */
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
        double least = 1.0 / (Arrays.stream(pairs, 0, blocks).sum() + 2);
        double[] scores = new double[2 * blocks];
        double[] probabilities = new double[2 * blocks];
        int size = 0;
        for (int b = 0; b < blocks; b++) {
            double probability = Math.min(Math.max((double) hits[b] / pairs[b], least), 1 - least);
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
        int place = Arrays.binarySearch(scores, score);
        if (place >= 0) {
            return probabilities[place];
        }
        int above = -place - 1;
        if (above == 0 || above == scores.length) {
            return probabilities[above == 0 ? 0 : above - 1];
        }
        double share = (score - scores[above - 1]) / (scores[above] - scores[above - 1]);
        return probabilities[above - 1] + share * (probabilities[above] - probabilities[above - 1]);
    }

    @Override
    public String method() {
        return "isotonic";
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
