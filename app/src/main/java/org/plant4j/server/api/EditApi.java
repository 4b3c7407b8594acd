package org.plant4j.server.api;

import io.javalin.http.Context;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.plant4j.Band;
import org.plant4j.edit.CodeEdit;
import org.plant4j.edit.CodeEdits;
import org.plant4j.review.Review;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Checks codes against the rules of their code set, on request and when a review is submitted. */
public final class EditApi {

    private static final int MAX_CODES = 200;

    private final CodeEdits edits;
    private final RequestBodies bodies;

    public EditApi(CodeEdits edits, RequestBodies bodies) {
        this.edits = edits;
        this.bodies = bodies;
    }

    public List<Route> routes() {
        return List.of(Route.post("/api/edits", RequiredRole.CODER, this::check));
    }

    private void check(Context request) {
        JsonFields body = bodies.readObject(request).allow("codes", "suggested", "date");
        Set<String> suggested = new LinkedHashSet<>(body.texts("suggested", MAX_CODES));
        List<CodeEdit> found = edits.check(body.texts("codes", MAX_CODES), suggested, body.optionalDate("date"));
        Responses.json(request, Map.of("edits", found));
    }

    /** Rejects a review with an edit that blocks, unless a comment says why the coder submits it nevertheless. */
    public void check(Review review) {
        if (review.comment().filter(comment -> !comment.isBlank()).isEmpty()) {
            find(review).stream().filter(CodeEdit::blocks).findFirst().ifPresent(edit -> {
                throw ApiException.unprocessable(
                        edit.reason(),
                        "decisions, code " + edit.codes().get(0),
                        "change the code, or explain it in a comment");
            });
        }
    }

    /** Whether a review has an edit that blocks, which its comment overrides. */
    boolean hasBlocking(Review review) {
        return find(review).stream().anyMatch(CodeEdit::blocks);
    }

    /** The edits of a review. */
    List<CodeEdit> find(Review review) {
        Set<String> suggested = review.shown().stream()
                .filter(each -> each.band() != Band.HIDDEN)
                .map(Review.ShownCode::code)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        review.decisions().stream()
                .filter(each -> each.decision() == Review.Verdict.REJECTED)
                .forEach(each -> suggested.remove(each.code()));
        return edits.check(review.assignedCodes(), suggested, review.date().map(LocalDate::parse));
    }
}
