package org.plant4j.review;

import java.util.List;
import java.util.Optional;

/**
 * What makes a review a second review: the review that it is about, and where the two differ.
 *
 * @param review the id of the first review
 * @param hash the hash of the first review, which binds the second to its content
 */
public record SecondReview(String review, String hash, List<Disagreement> disagreements) {

    public SecondReview {
        disagreements = List.copyOf(disagreements);
    }

    /** A code of the first review that the second removes or replaces, or a code that it adds, and why. */
    public record Disagreement(Optional<String> first, Optional<String> second, String comment) {}
}
