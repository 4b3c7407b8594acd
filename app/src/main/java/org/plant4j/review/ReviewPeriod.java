package org.plant4j.review;

import java.time.LocalDate;
import java.util.Optional;

/**
 * Which reviews to evaluate.
 *
 * @param from the first day, in UTC
 * @param to the last day, in UTC
 * @param reviewer only reviews by this person
 */
public record ReviewPeriod(Optional<LocalDate> from, Optional<LocalDate> to, Optional<String> reviewer) {

    public static final ReviewPeriod ALL = new ReviewPeriod(Optional.empty(), Optional.empty(), Optional.empty());

    /** The time, as text, from which reviews count. Stored times start with the same characters and sort as text. */
    Optional<String> start() {
        return from.map(day -> day + "T00:00:00");
    }

    /** The time, as text, before which reviews count. */
    Optional<String> end() {
        return to.map(day -> day.plusDays(1) + "T00:00:00");
    }

    boolean includes(StoredReview review) {
        String at = review.at().toString();
        return start().map(start -> at.compareTo(start) >= 0).orElse(true)
                && end().map(end -> at.compareTo(end) < 0).orElse(true)
                && reviewer.map(review.reviewer()::equals).orElse(true);
    }
}
