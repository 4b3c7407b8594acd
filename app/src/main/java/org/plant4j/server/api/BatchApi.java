package org.plant4j.server.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.plant4j.DomainCheck;
import org.plant4j.Suggestion;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.coding.DelayedRejection;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.http.RequestAttributes;
import org.plant4j.server.http.RequestBodies;
import org.plant4j.server.http.RequiredRole;
import org.plant4j.server.http.Responses;
import org.plant4j.server.http.Route;

/** Codes independent documents. One that cannot be coded has an error, and the others are coded nevertheless. */
public final class BatchApi {

    private static final int MAX_DOCUMENTS = 100;

    private record BatchResult(String model, String version, List<Object> documents) {}

    private record CodedEntry(String id, @JsonUnwrapped DomainCheck domain, List<Suggestion> codes) {}

    private record FailedEntry(String id, int status, Map<String, String> error) {

        FailedEntry(String id, ApiException error) {
            this(id, error.status(), error.body());
        }
    }

    /** A document of the request, or the error if it cannot be coded. */
    private record Entry(String id, Optional<Encounter> encounter, Optional<ApiException> error) {}

    private final CodingQueue queue;
    private final RequestBodies bodies;
    private final DocumentReader reader;
    private final String model;
    private final String version;

    public BatchApi(CodingQueue queue, RequestBodies bodies, DocumentReader reader, String model, String version) {
        this.queue = queue;
        this.bodies = bodies;
        this.reader = reader;
        this.model = model;
        this.version = version;
    }

    public List<Route> routes() {
        return List.of(Route.post(
                "/api/code/batch",
                RequiredRole.CODER,
                new DelayedRejection(() -> queue.requireCapacity(1), this::code)));
    }

    private void code(Context request) {
        JsonFields body = bodies.readObject(request).allow("documents", "codes");
        int codes = CodingApi.codes(body);
        List<Entry> entries = new ArrayList<>();
        for (Supplier<JsonFields> document : body.elements("documents", MAX_DOCUMENTS)) {
            entries.add(read(document, String.valueOf(entries.size() + 1)));
        }
        if (entries.isEmpty()) {
            throw ApiException.unprocessable("No documents", "documents", "send at least one document");
        }
        entries.forEach(entry -> RequestAttributes.addDocument(request, entry.id()));
        List<CompletableFuture<CodedDocument>> coded = queue.submit(entries.stream()
                .flatMap(entry -> entry.encounter().stream())
                .map(each -> new CodingQueue.CodingRequest(each, codes, RequestAttributes.clientGone(request)))
                .toList());
        CompletableFuture<Void> all = CompletableFuture.allOf(coded.toArray(CompletableFuture[]::new));
        request.future(() -> all.handle((done, failure) -> result(entries, coded))
                .thenAccept(result -> Responses.json(request, result)));
    }

    private Entry read(Supplier<JsonFields> element, String number) {
        String id = number;
        try {
            JsonFields document = element.get();
            id = document.optionalShortText("id").orElse(number);
            document.allow("id", "text");
            Encounter encounter = new Encounter(List.of(new SourceDocument(id, "", document.text("text"))));
            return new Entry(id, Optional.of(reader.validate(encounter, document.path())), Optional.empty());
        } catch (ApiException e) {
            return new Entry(id, Optional.empty(), Optional.of(e));
        }
    }

    /** {@code coded}: the results of the entries without an error, in their order. */
    private BatchResult result(List<Entry> entries, List<CompletableFuture<CodedDocument>> coded) {
        List<Object> documents = new ArrayList<>();
        int next = 0;
        for (Entry entry : entries) {
            documents.add(
                    entry.error().isPresent()
                            ? new FailedEntry(entry.id(), entry.error().get())
                            : result(entry.id(), coded.get(next++)));
        }
        return new BatchResult(model, version, documents);
    }

    private static Object result(String id, CompletableFuture<CodedDocument> coded) {
        try {
            CodedDocument document = coded.join();
            return new CodedEntry(id, document.domain(), document.codes());
        } catch (CompletionException e) {
            ApiException error =
                    e.getCause() instanceof ApiException known ? known : ApiException.internal("documents");
            if (error.isClientGone()) {
                throw error;
            }
            return new FailedEntry(id, error);
        }
    }
}
