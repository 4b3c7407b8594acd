package org.plant4j.calibration;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Arrays;
import java.util.function.BiFunction;

/** Maps a score to a calibrated probability. The mapping is monotonic, so it preserves the ranking of labels. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "method")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Calibrator.Identity.class, name = "none"),
    @JsonSubTypes.Type(value = TemperatureScaling.class, name = "temperature"),
    @JsonSubTypes.Type(value = IsotonicRegression.class, name = "isotonic")
})
public sealed interface Calibrator permits Calibrator.Identity, TemperatureScaling, IsotonicRegression {

    double probability(double score);

    /** The name of the method in {@code calibration.json}. */
    String method();

    /** Fits a calibrator of the same method on scores and their correctness. */
    BiFunction<double[], boolean[], Calibrator> fitter();

    default double[] probabilities(double[] scores) {
        return Arrays.stream(scores).map(this::probability).toArray();
    }

    /** Returns the score unchanged: there is no dev data, or the scores are calibrated already. */
    record Identity() implements Calibrator {

        @Override
        public double probability(double score) {
            return score;
        }

        @Override
        public String method() {
            return "none";
        }

        @Override
        public BiFunction<double[], boolean[], Calibrator> fitter() {
            return (scores, correct) -> this;
        }
    }

    /** The mean negative log-likelihood of the pairs. */
    static double negativeLogLikelihood(double[] probabilities, boolean[] correct) {
        double sum = 0;
        for (int i = 0; i < correct.length; i++) {
            sum += negativeLogLikelihood(probabilities[i], correct[i]);
        }
        return sum / correct.length;
    }

    /** The negative log-likelihood of one pair. The probability is clipped, so that the loss stays finite. */
    static double negativeLogLikelihood(double probability, boolean correct) {
        double p = Math.min(Math.max(probability, 1e-7), 1 - 1e-7);
        return -Math.log(correct ? p : 1 - p);
    }
}
