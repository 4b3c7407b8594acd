package org.plant4j.metric;

import java.util.stream.DoubleStream;
import org.plant4j.statistics.Ratio;

/**
 * Label propensities and propensity-scored precision (Jain, Prabhu and Varma, Extreme Multi-label Loss Functions for
 * Recommendation, Tagging, Ranking & Other Missing Label Applications, KDD 2016). The propensity estimates the probability
 * that a relevant label was annotated, from its training frequency n: 1 / p = 1 + C (n + B)^-A with C = (ln N - 1) (B + 1)^A.
 */
final class Propensity {

    private static final double A = 0.55;
    private static final double B = 1.5;

    private final int[] frequency;
    private final double c;

    Propensity(int trainDocuments, int[] trainFrequency) {
        this.frequency = trainFrequency;
        // With fewer than e documents C would be negative; 0 weighs every label the same.
        this.c = Math.max(0, Math.log(Math.max(1, trainDocuments)) - 1) * Math.pow(B + 1, A);
    }

    /** The weight of a hit, 1 / p; largest for labels unseen in training. */
    double inversePropensity(int label) {
        int n = label < frequency.length ? frequency[label] : 0;
        return 1 + c * Math.pow(n + B, -A);
    }

    /** PSP@k: the weight of the hits in the top k, divided by the largest weight that any ranking can reach. */
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
                weights[i] = -inversePropensity(gold.label(i)); // negated: sorted() ascends
            }
            attainable[d] = -DoubleStream.of(weights).sorted().limit(k).sum() / k;
        }
        return new Ratio("PSP@" + k, reached, attainable);
    }
}
