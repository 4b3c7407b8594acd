package org.plant4j.server.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.review.KeyReusedException;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewQuery;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;
import org.plant4j.review.StoredReview;
import org.plant4j.review.worklist.Submission;
import org.plant4j.review.worklist.Worklist;
import org.plant4j.server.access.Caller;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Stores, lists and exports reviews. */
public final class ReviewApi {

    private static final int MAX_KEY_LENGTH = 200;
    private static final int MAX_LISTED = 200;

    /** In the audit log, for an export. */
    private static final String ALL_DOCUMENTS = "*";

    private final ReviewStore reviews;
    private final ReadableReviews readable;
    private final Worklist worklist;
    private final RequestBodies bodies;
    private final ReviewJson json;
    private final ShownCodes shown;
    private final EditApi edits;
    private final ReviewExport export;
    private final ServerMetrics metrics;

    public ReviewApi(
            ReviewStore reviews,
            ReadableReviews readable,
            Worklist worklist,
            RequestBodies bodies,
            ReviewJson json,
            ShownCodes shown,
            EditApi edits,
            ReviewExport export,
            ServerMetrics metrics) {
        this.reviews = reviews;
        this.readable = readable;
        this.worklist = worklist;
        this.bodies = bodies;
        this.json = json;
        this.shown = shown;
        this.edits = edits;
        this.export = export;
        this.metrics = metrics;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/reviews", RequiredRole.CODER, this::add),
                Route.get("/api/reviews", RequiredRole.CODER, this::list),
                Route.get("/api/reviews/export", RequiredRole.ADMIN, this::export),
                Route.get("/api/reviews/{id}", RequiredRole.CODER, this::find));
    }

    private void add(Context request) {
        String key = Optional.ofNullable(request.header("Idempotency-Key")).orElse("");
        if (key.length() > MAX_KEY_LENGTH) {
            throw ApiException.unprocessable(
                    "The key is too long", "Idempotency-Key", "use at most " + MAX_KEY_LENGTH + " characters");
        }
        Review sent = json.parse(bodies.readObject(request));
        RequestAttributes.addDocument(request, sent.documentId());
        ReviewReceipt receipt = store(sent, Caller.of(request).name(), key);
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", receipt.id());
        body.put("at", receipt.at().toString());
        body.put("document", sent.documentId());
        body.put("supersedes", receipt.supersedes());
        body.put("hash", receipt.hash());
        body.put("edits", edits.find(sent));
        request.status(201).header("Location", "/api/reviews/" + receipt.id());
        Responses.json(request, body);
    }

    /** Looks up the key first: a retry gets its receipt even if the model or the rules have changed meanwhile. */
    private ReviewReceipt store(Review sent, String reviewer, String key) {
        try {
            Optional<ReviewReceipt> earlier = reviews.findReceipt(sent, reviewer, key);
            if (earlier.isPresent()) {
                return earlier.get();
            }
            Review verified = shown.verify(sent);
            edits.check(verified);
            ReviewReceipt receipt = worklist.code(
                    verified,
                    reviewer,
                    edits.hasBlocking(verified),
                    Submission.of(reviews, verified, sent, reviewer, key));
            metrics.recordReview();
            return receipt;
        } catch (KeyReusedException e) {
            throw ApiException.unprocessable(
                    "The key was used for a different review, which is stored; this one is not",
                    "Idempotency-Key",
                    "send this review with a new key");
        }
    }

    private void list(Context request) {
        int limit = QueryParameters.integer(request, "limit", 50, MAX_LISTED);
        ReviewQuery query = new ReviewQuery(
                limit,
                QueryParameters.storedText(request, "before"),
                ReadableReviews.reviewer(request),
                QueryParameters.storedText(request, "document"));
        List<StoredReview> listed = reviews.list(query);
        listed.stream()
                .map(StoredReview::document)
                .distinct()
                .forEach(document -> RequestAttributes.addDocument(request, document));
        Responses.json(request, listed.stream().map(ReviewJson::toJson).toList());
    }

    private void find(Context request) {
        Responses.json(request, ReviewJson.toJson(readable.get(request, request.pathParam("id"))));
    }

    private void export(Context request) {
        RequestAttributes.addDocument(request, ALL_DOCUMENTS);
        export.requireTexts();
        request.contentType("application/zip").header("Content-Disposition", "attachment; filename=\"reviews.zip\"");
        try (OutputStream out = request.outputStream()) {
            export.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
