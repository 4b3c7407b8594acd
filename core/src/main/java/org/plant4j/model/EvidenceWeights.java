package org.plant4j.model;

import org.plant4j.model.output.EvidenceMethod;

/** Arithmetic on the evidence weights of one label. */
public final class EvidenceWeights {

    private static final float[] NEIGHBOUR_SHARES = {0.1f, 0.02f}; // by distance

    private EvidenceWeights() {}

    /** Scales weights in place so that they sum to 1, unless all are 0. */
    public static void normalize(float[] weights) {
        double sum = 0;
        for (float weight : weights) {
            sum += weight;
        }
        for (int i = 0; i < weights.length && sum > 0; i++) {
            weights[i] /= (float) sum;
        }
    }

    /** Attributions as weights: negative ones become 0. */
    static float[][] positivePart(double[][] attributions) {
        float[][] weights = new float[attributions.length][];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = new float[attributions[i].length];
            for (int t = 0; t < weights[i].length; t++) {
                weights[i][t] = (float) Math.max(0, attributions[i][t]);
            }
        }
        return weights;
    }

    /** Adds to each token a share of the weight of its neighbours; see {@link EvidenceMethod#ATTENTION_PHRASE}. */
    static float[][] spreadToNeighbours(float[][] weights) {
        float[][] spread = new float[weights.length][];
        for (int i = 0; i < spread.length; i++) {
            spread[i] = weights[i].clone();
            for (int distance = 1; distance <= NEIGHBOUR_SHARES.length; distance++) {
                addNeighbours(weights[i], distance, NEIGHBOUR_SHARES[distance - 1], spread[i]);
            }
        }
        return spread;
    }

    /** Adds a share of the weights on both sides, with a loop without branches over the tokens that have both. */
    private static void addNeighbours(float[] weights, int distance, float share, float[] spread) {
        int last = weights.length - distance; // tokens from here on have no neighbour after them
        for (int t = 0; t < Math.min(distance, weights.length); t++) {
            spread[t] += share * (t < last ? weights[t + distance] : 0);
        }
        for (int t = distance; t < last; t++) {
            spread[t] += share * (weights[t - distance] + weights[t + distance]);
        }
        for (int t = Math.max(distance, last); t < weights.length; t++) {
            spread[t] += share * weights[t - distance];
        }
    }

    /** The products of equally shaped weights. */
    static float[][] multiply(float[][] left, float[][] right) {
        float[][] product = new float[left.length][];
        for (int i = 0; i < product.length; i++) {
            product[i] = new float[left[i].length];
            for (int t = 0; t < product[i].length; t++) {
                product[i][t] = left[i][t] * right[i][t];
            }
        }
        return product;
    }
}
