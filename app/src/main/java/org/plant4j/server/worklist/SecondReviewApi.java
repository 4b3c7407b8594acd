package org.plant4j.server.worklist;

import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.review.KeyReusedException;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.SecondReview;
import org.plant4j.review.StoredReview;
import org.plant4j.review.worklist.Submission;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.access.Caller;
import org.plant4j.server.api.EditApi;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;

/** Stores second reviews: a reviewer agrees with a coder, or changes codes with a comment for each. */
public final class SecondReviewApi {

    private static final int MAX_CHANGES = 200;
    private static final int MAX_KEY_LENGTH = 200;

    private final Worklist worklist;
    private final ReviewStore reviews;
    private final RequestBodies bodies;
    private final CodeCatalog codes;
    private final EditApi edits;

    public SecondReviewApi(
            Worklist worklist, ReviewStore reviews, RequestBodies bodies, CodeCatalog codes, EditApi edits) {
        this.worklist = worklist;
        this.reviews = reviews;
        this.bodies = bodies;
        this.codes = codes;
        this.edits = edits;
    }

    public List<Route> routes() {
        return List.of(Route.post("/api/encounters/second-review", RequiredRole.REVIEWER, this::add));
    }

    private void add(Context request) {
        JsonFields body = bodies.readObject(request).allow("id", "review", "changes", "comment");
        String id = body.shortText("id");
        RequestAttributes.addDocument(request, id);
        StoredReview first = reviews.find(body.shortText("review"))
                .filter(each -> each.document().equals(id))
                .orElseThrow(() -> ApiException.unprocessable(
                        "Not a review of this encounter", "review", "send the id of the coder's review"));
        List<SecondReview.Disagreement> changes =
                body.objects("changes", MAX_CHANGES).stream().map(this::change).toList();
        Review second = new SecondReviewer(first, reviews.findHash(first.id()).orElse(""))
                .review(changes, body.optionalShortText("comment"));
        ReviewReceipt receipt = store(second, id, Caller.of(request).name(), key(request));
        Map<String, Object> response = new LinkedHashMap<>();
        response.put("id", receipt.id());
        response.put("at", receipt.at().toString());
        response.put("document", id);
        response.put("review", first.id());
        response.put("hash", receipt.hash());
        response.put("disagreements", changes);
        request.status(201).header("Location", "/api/reviews/" + receipt.id());
        Responses.json(request, response);
    }

    private static String key(Context request) {
        String key = Optional.ofNullable(request.header("Idempotency-Key")).orElse("");
        if (key.length() > MAX_KEY_LENGTH) {
            throw ApiException.unprocessable(
                    "The key is too long", "Idempotency-Key", "use at most " + MAX_KEY_LENGTH + " characters");
        }
        return key;
    }

    private SecondReview.Disagreement change(JsonFields fields) {
        fields.allow("first", "second", "comment");
        Optional<String> second = fields.optionalShortText("second");
        if (second.isPresent() && !codes.contains(second.get())) {
            throw ApiException.unprocessable("Unknown code", fields.pathOf("second"), "search with /api/codes?q=");
        }
        Optional<String> first = fields.optionalShortText("first");
        if (first.equals(second)) {
            throw ApiException.unprocessable(
                    "A change needs a code of the first review, another code, or both",
                    fields.path(),
                    "send first to remove a code, second to add one, both to replace one");
        }
        String comment = fields.shortText("comment");
        if (comment.isBlank()) {
            throw ApiException.unprocessable("The comment is blank", fields.pathOf("comment"), "say why");
        }
        return new SecondReview.Disagreement(first, second, comment);
    }

    /** Looks up the key first, so that a retry gets its receipt although the encounter is closed. */
    private ReviewReceipt store(Review second, String id, String reviewer, String key) {
        try {
            Optional<ReviewReceipt> earlier = reviews.findReceipt(second, reviewer, key);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            edits.check(second);
            return worklist.close(
                    id, reviewer, second.second().orElseThrow(), Submission.of(reviews, second, second, reviewer, key));
        } catch (KeyReusedException e) {
            throw ApiException.unprocessable(
                    "The key was used for a different review, which is stored; this one is not",
                    "Idempotency-Key",
                    "send this review with a new key");
        }
    }
}
