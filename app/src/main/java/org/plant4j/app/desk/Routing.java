package org.plant4j.app.desk;

import java.util.List;
import java.util.Optional;
import org.plant4j.predict.Suggestion;

/** From a model's score to the probability that a coder sees, and to the band that follows from it. */
public interface Routing {

    /** What a band holds, as measured on dev: codes from this probability on, and how often they are right. */
    record BandFacts(Band band, double from, Optional<Double> precision, Optional<Double> recall) {}

    /** How probabilities were calibrated, with the expected calibration error before and after. */
    record CalibrationFacts(String method, double eceBefore, double eceAfter) {}

    double probability(Suggestion suggestion);

    Band band(Suggestion suggestion);

    /** The bands that show codes, the surest first. */
    List<BandFacts> bands();

    Optional<CalibrationFacts> calibration();

    /**
     * For a run that was never calibrated: the score as it is; what the run predicts is suggested, and down to a quarter
     * of its threshold codes deserve a look.
     */
    static Routing byThreshold(double threshold) {
        double review = threshold / 4;
        return new Routing() {
            @Override
            public double probability(Suggestion suggestion) {
                return suggestion.score();
            }

            @Override
            public Band band(Suggestion suggestion) {
                if (suggestion.predicted()) {
                    return Band.SUGGEST;
                }
                return suggestion.score() >= review ? Band.REVIEW : Band.HIDDEN;
            }

            @Override
            public List<BandFacts> bands() {
                return List.of(
                        new BandFacts(Band.SUGGEST, threshold, Optional.empty(), Optional.empty()),
                        new BandFacts(Band.REVIEW, review, Optional.empty(), Optional.empty()));
            }

            @Override
            public Optional<CalibrationFacts> calibration() {
                return Optional.empty();
            }
        };
    }
}
