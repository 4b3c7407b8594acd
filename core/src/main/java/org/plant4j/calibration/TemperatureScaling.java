package org.plant4j.calibration;

import java.util.function.BiFunction;
import org.plant4j.support.Arguments;

/**
 * Temperature scaling (Guo et al., On Calibration of Modern Neural Networks, ICML 2017): divides the logit by a temperature,
 * above 1 for overconfident and below 1 for underconfident models.
 */
public record TemperatureScaling(double temperature) implements Calibrator {

    /** Float sigmoids saturate at 0 and 1; clipping keeps their logits finite. */
    private static final double EPSILON = 1e-7;

    private static final double MAX_TEMPERATURE = 100;

    public TemperatureScaling {
        Arguments.check(temperature > 0, "temperature", temperature, "> 0");
    }

    /** The temperature between 1/100 and 100 with the lowest negative log-likelihood. */
    public static TemperatureScaling fit(double[] scores, boolean[] correct) {
        double[] logits = new double[scores.length];
        for (int i = 0; i < scores.length; i++) {
            logits[i] = logit(scores[i]);
        }
        // The loss is convex in 1/temperature, so bisection of its logarithm finds the only zero of the slope.
        double low = -Math.log(MAX_TEMPERATURE);
        double high = Math.log(MAX_TEMPERATURE);
        for (int step = 0; step < 60; step++) {
            double middle = (low + high) / 2;
            if (slope(logits, correct, Math.exp(middle)) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return new TemperatureScaling(Math.exp(-(low + high) / 2));
    }

    private static double slope(double[] logits, boolean[] correct, double inverseTemperature) {
        double slope = 0;
        for (int i = 0; i < logits.length; i++) {
            slope += (sigmoid(inverseTemperature * logits[i]) - (correct[i] ? 1 : 0)) * logits[i];
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

    @Override
    public BiFunction<double[], boolean[], Calibrator> fitter() {
        return TemperatureScaling::fit;
    }

    private static double logit(double score) {
        double p = Math.min(Math.max(score, EPSILON), 1 - EPSILON);
        return Math.log(p / (1 - p));
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }
}
