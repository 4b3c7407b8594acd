package org.plant4j.server.api;

import io.javalin.http.Context;
import java.util.Optional;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.StoredReview;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.access.Caller;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestAttributes;

/** The reviews that a caller may read: their own, or all with the admin role. What is read gets into the audit log. */
public final class ReadableReviews {

    private final ReviewStore reviews;
    private final Worklist worklist;

    public ReadableReviews(ReviewStore reviews, Worklist worklist) {
        this.reviews = reviews;
        this.worklist = worklist;
    }

    /** The reviewer whose reviews the caller may read; empty for all. A review contains the texts of its documents. */
    static Optional<String> reviewer(Context request) {
        Caller caller = Caller.of(request);
        return caller.isAdmin() ? Optional.empty() : Optional.of(caller.name());
    }

    /** A review that is not the caller's own is unknown to them. */
    StoredReview get(Context request, String id) {
        return readable(request, reviews.find(id))
                .orElseThrow(() -> new ApiException(
                        ApiException.NOT_FOUND, "Unknown review", "id", "list reviews with /api/reviews"));
    }

    /** The review of an encounter that counts, as in the export. */
    Optional<StoredReview> findFinal(Context request, String encounter) {
        return readable(
                request,
                worklist.finalReview(encounter)
                        .flatMap(reviews::find)
                        .or(() -> reviews.findByFirstReviewer(encounter)));
    }

    private static Optional<StoredReview> readable(Context request, Optional<StoredReview> review) {
        Optional<StoredReview> readable = review.filter(
                stored -> reviewer(request).map(stored.reviewer()::equals).orElse(true));
        readable.ifPresent(stored -> RequestAttributes.addDocument(request, stored.document()));
        return readable;
    }
}
