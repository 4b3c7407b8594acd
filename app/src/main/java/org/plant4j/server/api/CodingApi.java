package org.plant4j.server.api;

import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Codes the documents of an encounter together. */
public final class CodingApi {

    static final int DEFAULT_CODES = 50;
    static final int MAX_CODES = 200;

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final DocumentReader reader;

    public CodingApi(CodingQueue queue, RequestBodies bodies, DocumentReader reader) {
        this.queue = queue;
        this.bodies = bodies;
        this.reader = reader;
    }

    public List<Route> routes() {
        return List.of(Route.post(
                "/api/code", RequiredRole.CODER, new DelayedRejection(() -> queue.requireCapacity(1), this::code)));
    }

    private void code(Context request) {
        JsonFields body = bodies.readObject(request).allow("text", "documents", "codes");
        CodingQueue.CodingRequest coding = new CodingQueue.CodingRequest(
                audited(request, reader.readEncounter(body)), codes(body), RequestAttributes.clientGone(request));
        CompletableFuture<CodedDocument> coded = queue.submit(coding);
        request.future(() -> coded.thenAccept(document -> Responses.json(request, document)));
    }

    /** Names the documents in the audit log. */
    static Encounter audited(Context request, Encounter encounter) {
        encounter.documents().forEach(document -> RequestAttributes.addDocument(request, document.id()));
        return encounter;
    }

    static int codes(JsonFields body) {
        return body.integer("codes", 1, MAX_CODES, DEFAULT_CODES);
    }
}
