package org.plant4j.review.worklist;

import java.util.Optional;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;

/** A review to store together with the state of its encounter. */
@FunctionalInterface
public interface Submission {

    ReviewReceipt store();

    /** The receipt, if this is a retry of a review that is stored: the state of its encounter must not change again. */
    default Optional<ReviewReceipt> findReceipt() {
        return Optional.empty();
    }

    /** A review for a store; see {@link ReviewStore#add(Review, Review, String, String)}. */
    static Submission of(ReviewStore reviews, Review review, Review request, String reviewer, String key) {
        return new Submission() {
            @Override
            public ReviewReceipt store() {
                return reviews.add(review, request, reviewer, key);
            }

            @Override
            public Optional<ReviewReceipt> findReceipt() {
                return reviews.findReceipt(request, reviewer, key);
            }
        };
    }
}
