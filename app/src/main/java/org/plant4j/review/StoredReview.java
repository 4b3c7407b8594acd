package org.plant4j.review;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A review with its id, time and reviewer. Document texts are empty if the server does not keep them.
 *
 * @param document the id of the reviewed encounter, or one derived from its text
 * @param supersedes the reviewer's previous review of the same document
 */
public record StoredReview(
        String id, Instant at, String reviewer, String document, Optional<String> supersedes, Review review) {

    /** Whether this is a second review: it says so, or somebody else, {@code first}, did the first one. */
    boolean isSecond(@Nullable String first) {
        return review.second().isPresent() || (first != null && !first.equals(reviewer));
    }
}
