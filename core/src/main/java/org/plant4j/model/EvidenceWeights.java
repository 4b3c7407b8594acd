package org.plant4j.model;

/** Arithmetic on the evidence weights of one label. */
public final class EvidenceWeights {

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
