package org.plant4j.context;

import java.util.List;
import org.plant4j.calibration.Band;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Trait;
import org.plant4j.support.Arguments;

/**
 * Moves a code from the band {@code suggest} to {@code review} if its evidence is negated or about relatives. The score and
 * the probability stay as they are.
 *
 * @param minFraction the fraction of the weight of all evidence that must be contradicted
 */
public record ContextRule(double minFraction) {

    public ContextRule {
        Arguments.check(minFraction > 0 && minFraction <= 1, "minFraction", minFraction, "above 0, at most 1");
    }

    /** All evidence must be contradicted. */
    public static ContextRule standard() {
        return new ContextRule(1);
    }

    public Band band(Band band, List<Evidence> evidence) {
        return band == Band.SUGGEST && isContradicted(evidence) ? Band.REVIEW : band;
    }

    /** Whether the evidence speaks against the code; false without evidence. */
    public boolean isContradicted(List<Evidence> evidence) {
        double total = evidence.stream().mapToDouble(Evidence::weight).sum();
        double contradicted = evidence.stream()
                .filter(item -> item.traits().stream().anyMatch(Trait::contradicts))
                .mapToDouble(Evidence::weight)
                .sum();
        // Tolerate rounding errors of the sums.
        return contradicted > 0 && contradicted >= minFraction * total * (1 - 1e-9);
    }
}
