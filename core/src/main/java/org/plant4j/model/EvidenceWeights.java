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
}
