package org.plant4j.server.api;

import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.plant4j.encounter.Encounter;
import org.plant4j.server.coding.CodeExplanation;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;
import org.plant4j.server.search.CodeCatalog;
import org.plant4j.server.search.ListedCode;

/** Explains why a code was or was not suggested. */
public final class ExplanationApi {

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final DocumentReader reader;
    private final CodeCatalog codes;
    private final BiFunction<Encounter, String, CodeExplanation> explainer;

    public ExplanationApi(
            CodingQueue queue,
            RequestBodies bodies,
            DocumentReader reader,
            CodeCatalog codes,
            BiFunction<Encounter, String, CodeExplanation> explainer) {
        this.queue = queue;
        this.bodies = bodies;
        this.reader = reader;
        this.codes = codes;
        this.explainer = explainer;
    }

    public List<Route> routes() {
        return List.of(Route.post(
                "/api/explain",
                RequiredRole.CODER,
                new DelayedRejection(queue::requireExplanationCapacity, this::explain)));
    }

    private void explain(Context request) {
        JsonFields body = bodies.readObject(request).allow("text", "documents", "code");
        Encounter encounter = reader.readEncounter(body);
        String code = requireTrainedCode(body);
        encounter.documents().forEach(document -> RequestAttributes.addDocument(request, document.id()));
        CompletableFuture<CodeExplanation> explained =
                queue.submitExplanation(() -> explainer.apply(encounter, code), RequestAttributes.clientGone(request));
        request.future(() -> explained.thenAccept(explanation -> Responses.json(request, explanation)));
    }

    private String requireTrainedCode(JsonFields body) {
        ListedCode code = codes.lookup(body.text("code"))
                .orElseThrow(() -> ApiException.unprocessable("Unknown code", "code", "search with /api/codes?q="));
        if (!code.inModel()) {
            throw ApiException.unprocessable(
                    "The model was not trained on this code",
                    "code",
                    "use a code that /api/codes lists with inModel: true");
        }
        return code.code();
    }
}
