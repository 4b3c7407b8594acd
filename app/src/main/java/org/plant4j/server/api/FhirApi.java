package org.plant4j.server.api;

import io.javalin.http.Context;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.fhir.FhirService;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** The FHIR endpoint. */
public final class FhirApi {

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final DocumentReader reader;
    private final FhirService fhir;
    private final Optional<URI> publicUrl;

    public FhirApi(
            CodingQueue queue, RequestBodies bodies, DocumentReader reader, FhirService fhir, Optional<URI> publicUrl) {
        this.queue = queue;
        this.bodies = bodies;
        this.reader = reader;
        this.fhir = fhir;
        this.publicUrl = publicUrl;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(
                        "/fhir/$code",
                        RequiredRole.CODER,
                        new DelayedRejection(() -> queue.requireCapacity(1), this::code)),
                Route.get("/fhir/metadata", RequiredRole.NONE, this::capabilities));
    }

    private void code(Context request) {
        send(request, fhir.code(bodies.readFhir(request), documents -> codeAndWait(request, documents)));
    }

    private void capabilities(Context request) {
        send(request, fhir.capabilities(baseUrl(request)));
    }

    private static void send(Context response, String resource) {
        response.contentType(Responses.FHIR_JSON).result(resource);
    }

    /** Never from forwarded headers, which anybody can send. */
    private String baseUrl(Context request) {
        return publicUrl
                        .map(url -> url.toString().replaceFirst("/+$", ""))
                        .orElseGet(() -> request.scheme() + "://" + request.host())
                + "/fhir";
    }

    private CodedDocument codeAndWait(Context request, List<SourceDocument> documents) {
        Encounter encounter =
                CodingApi.audited(request, reader.validate(new Encounter(documents), "resource"));
        try {
            return queue.submit(new CodingQueue.CodingRequest(
                            encounter, CodingApi.DEFAULT_CODES, RequestAttributes.clientGone(request)))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiException error ? error : e; // an error such as 413 keeps its status
        }
    }
}
