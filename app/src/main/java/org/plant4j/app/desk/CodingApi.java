package org.plant4j.app.desk;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Codes texts, in JSON and in FHIR. */
final class CodingApi {

    private static final String FHIR_JSON = "application/fhir+json";
    private static final int DEFAULT_CODES = 50;
    private static final int MOST_CODES = 200;
    private static final int MOST_DOCUMENTS = 100;

    private final CodingQueue queue;
    private final Bodies bodies;
    private final Notes notes;
    private final Interchange fhir;

    CodingApi(CodingQueue queue, Bodies bodies, Notes notes, Interchange fhir) {
        this.queue = queue;
        this.bodies = bodies;
        this.notes = notes;
        this.fhir = fhir;
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/code", Need.CODER, whenThereIsRoom(this::code)),
                Route.post("/api/code/batch", Need.CODER, whenThereIsRoom(this::batch)),
                Route.post("/fhir/$code", Need.CODER, whenThereIsRoom(this::fhir)),
                Route.get("/fhir/metadata", Need.CODER, this::capabilities));
    }

    private Handler whenThereIsRoom(Handler handler) {
        return new LateRefusal(() -> queue.requireRoom(1), handler);
    }

    private void code(Context request) {
        Fields body = bodies.object(request).only("text", "notes", "codes");
        CodingQueue.Work work = new CodingQueue.Work(notes.encounter(body), codes(body));
        CompletableFuture<CodedDocument> coded = queue.submit(work);
        request.future(() -> coded.thenAccept(document -> Answer.json(request, document)));
    }

    private void batch(Context request) {
        Fields body = bodies.object(request).only("documents", "codes");
        int codes = codes(body);
        List<String> ids = new ArrayList<>();
        List<CodingQueue.Work> work = new ArrayList<>();
        for (Fields each : body.objects("documents", MOST_DOCUMENTS)) {
            each.only("id", "text");
            String id = Notes.name(each, "id").orElse(String.valueOf(ids.size() + 1));
            ids.add(id);
            Encounter encounter = new Encounter(List.of(new Note(id, "", each.text("text"))));
            work.add(new CodingQueue.Work(notes.checked(encounter, each.where()), codes));
        }
        if (work.isEmpty()) {
            throw Problem.senseless("There are no documents", "documents", "send at least one");
        }
        List<CompletableFuture<CodedDocument>> coded = queue.submit(work);
        request.future(() -> CompletableFuture.allOf(coded.toArray(CompletableFuture[]::new))
                .thenRun(() -> Answer.json(request, together(ids, coded))));
    }

    private static Map<String, Object> together(List<String> ids, List<CompletableFuture<CodedDocument>> coded) {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", ids.get(i));
            one.put("codes", coded.get(i).join().codes());
            documents.add(one);
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("model", coded.get(0).join().model());
        all.put("version", coded.get(0).join().version());
        all.put("documents", documents);
        return all;
    }

    private static int codes(Fields body) {
        return body.integer("codes", 1, MOST_CODES, DEFAULT_CODES);
    }

    private void fhir(Context request) {
        request.contentType(FHIR_JSON).result(fhir.code(bodies.fhir(request), this::codeNow));
    }

    private void capabilities(Context request) {
        request.contentType(FHIR_JSON).result(fhir.capabilities(request.scheme() + "://" + request.host() + "/fhir"));
    }

    private CodedDocument codeNow(List<Note> some) {
        Encounter encounter = notes.checked(new Encounter(some), "resource");
        try {
            return queue.submit(new CodingQueue.Work(encounter, DEFAULT_CODES)).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the notes of a resource could not be coded", e.getCause());
        }
    }
}
