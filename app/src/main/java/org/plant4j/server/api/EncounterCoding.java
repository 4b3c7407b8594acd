package org.plant4j.server.api;

import io.javalin.http.Context;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.plant4j.encounter.CodedDocument;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.server.coding.CodingQueue;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.RequestAttributes;

/** Codes the encounters of a request one after the other, for interfaces that need all of them to answer. */
public final class EncounterCoding {

    private final CodingQueue queue;
    private final DocumentReader reader;

    public EncounterCoding(CodingQueue queue, DocumentReader reader) {
        this.queue = queue;
        this.reader = reader;
    }

    /** Codes for this request until its client hangs up. */
    public Function<List<SourceDocument>, CodedDocument> of(Context request) {
        return documents -> code(request, documents);
    }

    private CodedDocument code(Context request, List<SourceDocument> documents) {
        Encounter encounter = CodingApi.audited(request, reader.validate(new Encounter(documents), "resource"));
        try {
            return queue.submit(new CodingQueue.CodingRequest(
                            encounter, CodingApi.DEFAULT_CODES, RequestAttributes.clientGone(request)))
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof ApiException error ? error : e; // an error such as 413 keeps its status
        }
    }
}
