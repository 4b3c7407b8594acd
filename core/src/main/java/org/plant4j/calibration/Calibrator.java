package org.plant4j.calibration;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Arrays;

/** Turns a score into a probability without changing the order of codes. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "method")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Calibrator.Identity.class, name = "none"),
    @JsonSubTypes.Type(value = TemperatureScaling.class, name = "temperature"),
    @JsonSubTypes.Type(value = IsotonicRegression.class, name = "isotonic")
})
public sealed interface Calibrator permits Calibrator.Identity, TemperatureScaling, IsotonicRegression {

    double probability(double score);

    /** The method's name, as the run's files write it. */
    String method();

    default double[] probabilities(double[] scores) {
        return Arrays.stream(scores).map(this::probability).toArray();
    }

    /** Leaves scores as they are: there is nothing to learn from, or nothing to mend. */
    record Identity() implements Calibrator {

        @Override
        public double probability(double score) {
            return score;
        }

        @Override
        public String method() {
            return "none";
        }
    }

    /** The mean negative log-likelihood. */
    static double negativeLogLikelihood(double[] probabilities, boolean[] right) {
        double sum = 0;
        for (int i = 0; i < right.length; i++) {
            sum += negativeLogLikelihood(probabilities[i], right[i]);
        }
        return sum / right.length;
    }

    /** That of one pair; certainty that proves wrong costs much, but not everything. */
    static double negativeLogLikelihood(double probability, boolean right) {
        double p = Math.min(Math.max(probability, 1e-7), 1 - 1e-7);
        return -Math.log(right ? p : 1 - p);
    }
}
