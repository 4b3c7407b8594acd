package org.plant4j.review.worklist;

import java.util.Optional;

/**
 * Which encounters to list, in the order of their arrival.
 *
 * @param after the id of the last encounter on the previous page
 * @param visibleTo lists only what this coder may see: open encounters that nobody else works on, and their own
 * @param disagreements lists only encounters whose second review differs from the first
 */
public record WorklistQuery(
        int limit,
        Optional<String> after,
        Optional<EncounterState> state,
        Optional<String> visibleTo,
        boolean disagreements) {}
