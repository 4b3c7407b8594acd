package org.plant4j.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.plant4j.domain.DomainCheck;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.fhir.FhirService;
import org.plant4j.prediction.Suggestion;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Codes documents, as JSON and FHIR. */
public final class CodingApi {

    private static final int DEFAULT_CODES = 50;
    static final int MAX_CODES = 200;
    private static final int MAX_DOCUMENTS = 100;

    private record BatchResult(String model, String version, List<BatchDocument> documents) {}

    private record BatchDocument(String id, @JsonUnwrapped DomainCheck domain, List<Suggestion> codes) {}

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final DocumentReader reader;
    private final FhirService fhir;
    private final Optional<URI> publicUrl;

    public CodingApi(
            CodingQueue queue, RequestBodies bodies, DocumentReader reader, FhirService fhir, Optional<URI> publicUrl) {
        this.queue = queue;
        this.bodies = bodies;
        this.reader = reader;
        this.fhir = fhir;
        this.publicUrl = publicUrl;
    }

    public List<Route> routes() {
        return List.of(
                Route.post("/api/code", RequiredRole.CODER, rejectWhenFull(this::code)),
                Route.post("/api/code/batch", RequiredRole.CODER, rejectWhenFull(this::batch)),
                Route.post("/fhir/$code", RequiredRole.CODER, rejectWhenFull(this::fhir)),
                Route.get("/fhir/metadata", RequiredRole.NONE, this::capabilities));
    }

    private Handler rejectWhenFull(Handler handler) {
        return new DelayedRejection(() -> queue.requireCapacity(1), handler);
    }

    private void code(Context request) {
        JsonFields body = bodies.readObject(request).allow("text", "documents", "codes");
        CodingQueue.CodingRequest coding = new CodingQueue.CodingRequest(
                audited(request, reader.readEncounter(body)), codes(body), RequestAttributes.clientGone(request));
        CompletableFuture<CodedDocument> coded = queue.submit(coding);
        request.future(() -> coded.thenAccept(document -> Responses.json(request, document)));
    }

    private void batch(Context request) {
        JsonFields body = bodies.readObject(request).allow("documents", "codes");
        int codes = codes(body);
        List<String> ids = new ArrayList<>();
        List<CodingQueue.CodingRequest> requests = new ArrayList<>();
        for (JsonFields document : body.objects("documents", MAX_DOCUMENTS)) {
            document.allow("id", "text");
            String id = document.optionalShortText("id").orElse(String.valueOf(ids.size() + 1));
            ids.add(id);
            Encounter encounter = new Encounter(List.of(new SourceDocument(id, "", document.text("text"))));
            requests.add(new CodingQueue.CodingRequest(
                    reader.validate(encounter, document.path()), codes, RequestAttributes.clientGone(request)));
        }
        if (requests.isEmpty()) {
            throw ApiException.unprocessable("No documents", "documents", "send at least one document");
        }
        ids.forEach(id -> RequestAttributes.addDocument(request, id));
        List<CompletableFuture<CodedDocument>> coded = queue.submit(requests);
        request.future(() -> CompletableFuture.allOf(coded.toArray(CompletableFuture[]::new))
                .thenRun(() -> Responses.json(request, batchResult(ids, coded))));
    }

    private static BatchResult batchResult(List<String> ids, List<CompletableFuture<CodedDocument>> coded) {
        List<BatchDocument> documents = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            CodedDocument each = coded.get(i).join();
            documents.add(new BatchDocument(ids.get(i), each.domain(), each.codes()));
        }
        CodedDocument first = coded.get(0).join();
        return new BatchResult(first.model(), first.version(), documents);
    }

    private static Encounter audited(Context request, Encounter encounter) {
        encounter.documents().forEach(document -> RequestAttributes.addDocument(request, document.id()));
        return encounter;
    }

    private static int codes(JsonFields body) {
        return body.integer("codes", 1, MAX_CODES, DEFAULT_CODES);
    }

    private void fhir(Context request) {
        request.contentType(Responses.FHIR_JSON)
                .result(fhir.code(bodies.readFhir(request), documents -> codeAndWait(request, documents)));
    }

    private void capabilities(Context request) {
        request.contentType(Responses.FHIR_JSON).result(fhir.capabilities(baseUrl(request) + "/fhir"));
    }

    /** Never from forwarded headers, which anybody can send. */
    private String baseUrl(Context request) {
        return publicUrl
                .map(url -> url.toString().replaceFirst("/+$", ""))
                .orElseGet(() -> request.scheme() + "://" + request.host());
    }

    private CodedDocument codeAndWait(Context request, List<SourceDocument> documents) {
        Encounter encounter = audited(request, reader.validate(new Encounter(documents), "resource"));
        try {
            return queue.submit(new CodingQueue.CodingRequest(
                            encounter, DEFAULT_CODES, RequestAttributes.clientGone(request)))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiException error ? error : e; // an error such as 413 keeps its status
        }
    }
}
