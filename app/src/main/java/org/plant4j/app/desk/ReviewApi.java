package org.plant4j.app.desk;

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
import org.plant4j.app.review.Review;
import org.plant4j.app.review.ReviewStore;
import org.plant4j.app.review.Stored;

/** Takes reviews and gives them back. */
final class ReviewApi {

    private static final int LONGEST_KEY = 200;
    private static final int MOST_LISTED = 200;

    private final ReviewStore reviews;
    private final Bodies bodies;
    private final ReviewBody body;
    private final Metrics metrics;
    private final boolean keepsText;

    ReviewApi(ReviewStore reviews, Bodies bodies, ReviewBody body, Metrics metrics, boolean keepsText) {
        this.reviews = reviews;
        this.bodies = bodies;
        this.body = body;
        this.metrics = metrics;
        this.keepsText = keepsText;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/reviews", Need.CODER, this::add),
                Route.get("/api/reviews", Need.CODER, this::list),
                Route.get("/api/reviews/export", Need.ADMIN, this::export),
                Route.get("/api/reviews/{id}", Need.CODER, this::find));
    }

    private void add(Context request) {
        String key = Optional.ofNullable(request.header("Idempotency-Key")).orElse("");
        if (key.length() > LONGEST_KEY) {
            throw Problem.senseless("The key is too long", "Idempotency-Key", "use at most 200 characters");
        }
        Review review = body.read(bodies.object(request));
        Stored stored = reviews.add(review, Desk.bearer(request).name(), key);
        metrics.reviewed();
        Map<String, String> receipt = new LinkedHashMap<>();
        receipt.put("id", stored.id());
        receipt.put("at", stored.at().toString());
        request.status(201).header("Location", "/api/reviews/" + stored.id());
        Answer.json(request, receipt);
    }

    private void list(Context request) {
        int limit = Query.number(request, "limit", 50, MOST_LISTED);
        Optional<String> before = Query.text(request, "before");
        Answer.json(
                request,
                reviews.list(limit, before).stream().map(ReviewBody::view).toList());
    }

    private void find(Context request) {
        Answer.json(
                request,
                reviews.find(request.pathParam("id"))
                        .map(ReviewBody::view)
                        .orElseThrow(() -> new Problem(
                                Problem.NOT_FOUND, "There is no such review", "id", "list them with /api/reviews")));
    }

    private void export(Context request) {
        if (!keepsText) {
            throw new Problem(
                    Problem.CONFLICT,
                    "The texts of notes are not kept, so there is nothing to train on",
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
