package org.plant4j.server.api;

import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.review.Review;
import org.plant4j.review.ReviewCorpus;
import org.plant4j.review.ReviewReceipt;
import org.plant4j.review.ReviewStore;
import org.plant4j.server.access.Caller;
import org.plant4j.server.coding.ServerMetrics;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.QueryParameters;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Stores, lists and exports reviews. */
public final class ReviewApi {

    private static final int MAX_KEY_LENGTH = 200;
    private static final int MAX_LISTED = 200;

    private final ReviewStore reviews;
    private final RequestBodies bodies;
    private final ReviewJson json;
    private final ServerMetrics metrics;
    private final boolean keepsText;

    public ReviewApi(
            ReviewStore reviews, RequestBodies bodies, ReviewJson json, ServerMetrics metrics, boolean keepsText) {
        this.reviews = reviews;
        this.bodies = bodies;
        this.json = json;
        this.metrics = metrics;
        this.keepsText = keepsText;
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
        Review review = json.parse(bodies.readObject(request));
        ReviewReceipt receipt = reviews.add(review, Caller.of(request).name(), key);
        metrics.recordReview();
        Map<String, String> body = new LinkedHashMap<>();
        body.put("id", receipt.id());
        body.put("at", receipt.at().toString());
        request.status(201).header("Location", "/api/reviews/" + receipt.id());
        Responses.json(request, body);
    }

    private void list(Context request) {
        int limit = QueryParameters.integer(request, "limit", 50, MAX_LISTED);
        Optional<String> before = QueryParameters.text(request, "before");
        Responses.json(
                request,
                reviews.list(limit, before).stream().map(ReviewJson::toJson).toList());
    }

    private void find(Context request) {
        Responses.json(
                request,
                reviews.find(request.pathParam("id"))
                        .map(ReviewJson::toJson)
                        .orElseThrow(() -> new ApiException(
                                ApiException.NOT_FOUND, "Unknown review", "id", "list reviews with /api/reviews")));
    }

    private void export(Context request) {
        if (!keepsText) {
            throw new ApiException(
                    ApiException.CONFLICT,
                    "Texts are not kept, so there is nothing to export",
                    "server",
                    "start the server with --keep-text");
        }
        request.contentType("application/x-ndjson")
                .header("Content-Disposition", "attachment; filename=\"reviews.jsonl\"");
        try (Writer out = new BufferedWriter(new OutputStreamWriter(request.outputStream(), StandardCharsets.UTF_8))) {
            ReviewCorpus.write(reviews, line -> {
                try {
                    out.append(line).append('\n');
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
