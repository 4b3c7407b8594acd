package org.plant4j.review.worklist;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** How far the coding of an encounter is. */
public enum EncounterState {
    /** Waits for a coder. */
    @JsonProperty("open")
    OPEN,
    /** A coder works on it. */
    @JsonProperty("in_progress")
    IN_PROGRESS,
    /** Coded, without a second review. */
    @JsonProperty("coded")
    CODED,
    /** Coded; waits for a reviewer, or a reviewer works on it. */
    @JsonProperty("second_review")
    SECOND_REVIEW,
    /** The second review is done. */
    @JsonProperty("closed")
    CLOSED;

    /** The name in the database and in JSON. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
