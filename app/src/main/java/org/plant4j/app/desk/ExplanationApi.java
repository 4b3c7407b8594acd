package org.plant4j.app.desk;

import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/** Tells why a code was given, or was not. */
final class ExplanationApi {

    private final CodingQueue queue;
    private final Bodies bodies;
    private final Notes notes;
    private final Codes codes;
    private final BiFunction<Encounter, String, Explanation> explainer;

    ExplanationApi(
            CodingQueue queue,
            Bodies bodies,
            Notes notes,
            Codes codes,
            BiFunction<Encounter, String, Explanation> explainer) {
        this.queue = queue;
        this.bodies = bodies;
        this.notes = notes;
        this.codes = codes;
        this.explainer = explainer;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/explain", Need.CODER, new LateRefusal(queue::requireRoomToLook, this::explain)));
    }

    private void explain(Context request) {
        Fields body = bodies.object(request).only("text", "notes", "code");
        Encounter encounter = notes.encounter(body);
        String code = learned(body);
        CompletableFuture<Explanation> explained = queue.submit(() -> explainer.apply(encounter, code));
        CompletableFuture<Void> told = explained.thenAccept(explanation -> Answer.json(request, explanation));
        // Who went away is not waited for.
        CompletableFuture<Void> unused = told.whenComplete((answered, fault) -> explained.cancel(false));
        request.future(() -> told);
    }

    private String learned(Fields body) {
        BookCode code = codes.listed(body.text("code"))
                .orElseThrow(() ->
                        Problem.senseless("The code book has no such code", "code", "search it with /api/codes?q="));
        if (!code.known()) {
            throw Problem.senseless(
                    "The model never learned this code", "code", "ask for one that /api/codes lists as known");
        }
        return code.code();
    }
}
