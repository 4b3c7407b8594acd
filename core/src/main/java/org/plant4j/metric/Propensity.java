package org.plant4j.metric;

import java.util.stream.DoubleStream;
import org.plant4j.statistics.Ratio;

/**
 * How likely a label that applies was written down at all, estimated from its training frequency, and the precision
 * that corrects for it (Jain, Prabhu and Varma, 2016): a hit on a rare label weighs more.
 */
final class Propensity {

    private static final double A = 0.55;
    private static final double B = 1.5;

    private final int[] frequency;
    private final double c;

    Propensity(int trainDocuments, int[] trainFrequency) {
        this.frequency = trainFrequency;
        // Below e documents the formula turns negative: then every label counts the same.
        this.c = Math.max(0, Math.log(Math.max(1, trainDocuments)) - 1) * Math.pow(B + 1, A);
    }

    /** The weight of a hit, 1 / p; labels unseen in training weigh most. */
    double inversePropensity(int label) {
        int seen = label < frequency.length ? frequency[label] : 0;
        return 1 + c * Math.pow(seen + B, -A);
    }

    /** PSP@k: the weight of the hits among the k best over the largest weight that any ranking could reach. */
    Ratio precisionAt(int k, GoldRanks[] documents) {
        double[] reached = new double[documents.length];
        double[] attainable = new double[documents.length];
        for (int d = 0; d < documents.length; d++) {
            GoldRanks gold = documents[d];
            for (int i = 0; i < gold.hits(k); i++) {
                reached[d] += inversePropensity(gold.label(i)) / k;
            }
            double[] weights = new double[gold.goldCount()];
            for (int i = 0; i < weights.length; i++) {
                weights[i] = -inversePropensity(gold.label(i));
            }
            attainable[d] = -DoubleStream.of(weights).sorted().limit(k).sum() / k;
        }
        return new Ratio("PSP@" + k, reached, attainable);
    }
}
