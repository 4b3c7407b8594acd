package org.plant4j.review;

import java.util.Optional;

/**
 * Which reviews to list, newest first.
 *
 * @param before the id of the last review on the previous page
 * @param reviewer only reviews by this person
 * @param document only reviews of the document or encounter with this id
 */
public record ReviewQuery(int limit, Optional<String> before, Optional<String> reviewer, Optional<String> document) {

    public static ReviewQuery latest(int limit) {
        return new ReviewQuery(limit, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public ReviewQuery before(String id) {
        return new ReviewQuery(limit, Optional.of(id), reviewer, document);
    }
}
