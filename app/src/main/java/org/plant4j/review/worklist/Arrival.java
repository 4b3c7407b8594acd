package org.plant4j.review.worklist;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * What the worklist did with documents that arrived.
 *
 * @param id the id of the encounter
 * @param added the ids of the documents that it did not have before
 * @param reopened whether the encounter had been coded and has to be coded again
 */
public record Arrival(String id, Outcome outcome, List<String> added, boolean reopened) {

    public Arrival {
        added = List.copyOf(added);
    }

    /** Whether anything was stored. */
    public enum Outcome {
        /** A new encounter. */
        @JsonProperty("created")
        CREATED,
        /** New documents of a known encounter. */
        @JsonProperty("added")
        ADDED,
        /** All documents were known. */
        @JsonProperty("unchanged")
        UNCHANGED
    }
}
