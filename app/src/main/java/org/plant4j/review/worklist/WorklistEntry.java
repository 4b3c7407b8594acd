package org.plant4j.review.worklist;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/**
 * An encounter of the worklist, without its texts.
 *
 * @param documents the number of documents
 * @param reopened when a document arrived after the encounter had been coded; empty once it is coded again
 * @param claim who works on it now
 * @param coding its latest first review
 * @param secondReview its second review
 */
public record WorklistEntry(
        String id,
        Origin origin,
        EncounterState state,
        int documents,
        Optional<Instant> reopened,
        Optional<Claim> claim,
        Optional<Coding> coding,
        Optional<SecondReview> secondReview) {

    /** Where an encounter came from, and the day on which its codes must be valid. */
    public record Origin(String source, Instant arrived, Optional<LocalDate> date) {}

    /** A claim ends when its holder submits a review or releases it, at the latest at {@code until}. */
    public record Claim(String by, Instant until) {}

    /** A coder's review, by its id. */
    public record Coding(String coder, String review) {}

    /** A reviewer's second review, by its id, and in how many codes it differs from the first. */
    public record SecondReview(String reviewer, String review, int disagreements) {}

    boolean isClaimedBy(String name) {
        return claim.filter(each -> each.by().equals(name)).isPresent();
    }
}
