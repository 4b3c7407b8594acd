package org.plant4j;

import java.util.List;

/**
 * A code that a model suggests for a text. Its JSON form is the same in the library, on the command line and in the REST
 * API.
 *
 * @param code the code
 * @param description the meaning of the code, empty if the code set has none
 * @param score the model's score, between 0 and 1
 * @param probability the calibrated probability that the code is correct; equal to the score if the run is not calibrated
 * @param band the band that follows from the probability
 * @param predicted whether the score reaches the run's threshold
 * @param evidence the spans of the text that support the code, heaviest first
 */
public record Suggestion(
        String code,
        String description,
        double score,
        double probability,
        Band band,
        boolean predicted,
        List<Evidence> evidence) {

    /**
     * Copies the evidence.
     *
     * @param code the code
     * @param description the meaning of the code, empty if the code set has none
     * @param score the model's score, between 0 and 1
     * @param probability the calibrated probability that the code is correct; equal to the score if the run is not calibrated
     * @param band the band that follows from the probability
     * @param predicted whether the score reaches the run's threshold
     * @param evidence the spans of the text that support the code, heaviest first
     */
    public Suggestion {
        evidence = List.copyOf(evidence);
    }

    /**
     * Whether the code has evidence and all of it is negated or about relatives, and none of that {@link Trait#TYPICAL}.
     *
     * @return true if all evidence contradicts the code
     */
    public boolean contradicted() {
        return !evidence.isEmpty() && evidence.stream().allMatch(Evidence::contradicts);
    }

    /**
     * The same suggestion, shown for review at most.
     *
     * @return the suggestion
     */
    public Suggestion notSuggested() {
        return band == Band.SUGGEST
                ? new Suggestion(code, description, score, probability, Band.REVIEW, predicted, evidence)
                : this;
    }

    /**
     * The same suggestion if the model cannot be trusted: not predicted, and shown for review at most.
     *
     * @return the suggestion
     */
    public Suggestion forReview() {
        return new Suggestion(
                code, description, score, probability, notSuggested().band(), false, evidence);
    }

    /**
     * The same suggestion with other evidence.
     *
     * @param other the other evidence
     * @return the copy
     */
    public Suggestion withEvidence(List<Evidence> other) {
        return new Suggestion(code, description, score, probability, band, predicted, other);
    }
}
