package org.plant4j.review;

import java.util.List;
import java.util.Optional;

/**
 * The result of checking all reviews.
 *
 * @param reviews number of rows
 * @param unchained rows at the beginning that an earlier version stored without a hash
 * @param head the hash of the last review, if there is one
 * @param problems rows that were changed, deleted or damaged after they had been stored
 */
public record ReviewCheck(long reviews, long unchained, Optional<String> head, List<Problem> problems) {

    public ReviewCheck {
        problems = List.copyOf(problems);
    }

    /** A problem at a row, by its number and review id. */
    public record Problem(long number, String id, String what) {}

    public boolean passed() {
        return problems.isEmpty();
    }
}
