package org.plant4j.calibration;

/**
 * Divides the logit by one number (Guo et al., On Calibration of Modern Neural Networks, ICML 2017): above 1 it makes an
 * overconfident model modest, below 1 a timid one bolder.
 */
public record TemperatureScaling(double temperature) implements Calibrator {

    /** Scores are 32-bit sigmoids, which saturate; their logits must not. */
    private static final double EPSILON = 1e-7;

    private static final double MAX_TEMPERATURE = 100;

    public TemperatureScaling {
        if (!(temperature > 0)) {
            throw new IllegalArgumentException("temperature: " + temperature + " (expected: > 0)");
        }
    }

    /** The temperature with the least negative log-likelihood, between 1/100 and 100. */
    public static TemperatureScaling fit(double[] scores, boolean[] right) {
        double[] logits = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            logits[i] = logit(scores[i]);
        }
        // The loss is convex in 1/temperature, so its slope crosses zero once; halving in the logarithm finds where.
        double low = -Math.log(MAX_TEMPERATURE);
        double high = Math.log(MAX_TEMPERATURE);
        for (int step = 0; step < 60; step++) {
            double middle = (low + high) / 2;
            if (slope(logits, right, Math.exp(middle)) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return new TemperatureScaling(Math.exp(-(low + high) / 2));
    }

    private static double slope(double[] logits, boolean[] right, double sharpness) {
        double slope = 0;
        for (int i = 0; i < logits.length; i++) {
            slope += (sigmoid(sharpness * logits[i]) - (right[i] ? 1 : 0)) * logits[i];
        }
        return slope;
    }

    @Override
    public double probability(double score) {
        return sigmoid(logit(score) / temperature);
    }

    @Override
    public String method() {
        return "temperature";
    }

    private static double logit(double score) {
        double p = Math.min(Math.max(score, EPSILON), 1 - EPSILON);
        return Math.log(p / (1 - p));
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
