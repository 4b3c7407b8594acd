package org.plant4j.prediction;

import java.util.List;
import org.plant4j.calibration.Band;

/**
 * A code for a text: what it means, its score, the calibrated probability that it is right and the band that follows from
 * it, whether it passes the run's threshold, and the words that support it. Where a run is not calibrated the probability
 * is the score.
 */
public record Suggestion(
        String code,
        String description,
        double score,
        double probability,
        Band band,
        boolean predicted,
        List<WeightedSpan> evidence) {

    public Suggestion {
        evidence = List.copyOf(evidence);
    }
}
