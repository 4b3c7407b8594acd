package org.plant4j.server.worklist;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.review.worklist.IncomingEncounter;
import org.plant4j.review.worklist.WorklistEntry;
import org.plant4j.server.api.DocumentReader;
import org.plant4j.server.http.JsonFields;

/** Reads encounters from JSON and writes them as JSON. */
public final class EncounterJson {

    private static final int MAX_DOCUMENTS = 200;

    private final DocumentReader reader;

    public EncounterJson(DocumentReader reader) {
        this.reader = reader;
    }

    /** Reads {@code {"id", "date", "documents"}}. A document without an id gets one that depends on its text only. */
    IncomingEncounter parse(JsonFields body) {
        body.allow("id", "date", "documents");
        List<SourceDocument> documents = new ArrayList<>();
        for (JsonFields document : body.objects("documents", MAX_DOCUMENTS)) {
            document.allow("id", "title", "text");
            String text = document.text("text");
            documents.add(new SourceDocument(
                    document.optionalShortText("id").orElseGet(() -> IncomingEncounter.derivedId(text)),
                    document.optionalShortText("title").orElse(""),
                    text));
        }
        return validate(new IncomingEncounter(body.shortText("id"), body.optionalDate("date"), documents));
    }

    /** Rejects encounters that are too long to be coded. */
    IncomingEncounter validate(IncomingEncounter encounter) {
        reader.validate(new Encounter(encounter.documents()), "documents");
        return encounter;
    }

    static Map<String, Object> toJson(WorklistEntry entry) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", entry.id());
        json.put("date", entry.origin().date().map(LocalDate::toString));
        json.put("state", entry.state());
        json.put("source", entry.origin().source());
        json.put("arrived", entry.origin().arrived().toString());
        json.put("documentCount", entry.documents());
        json.put("reopened", entry.reopened().map(Instant::toString));
        json.put("claimedBy", entry.claim().map(WorklistEntry.Claim::by));
        json.put("claimedUntil", entry.claim().map(each -> each.until().toString()));
        json.put("coder", entry.coding().map(WorklistEntry.Coding::coder));
        json.put("reviewId", entry.coding().map(WorklistEntry.Coding::review));
        json.put("secondReviewer", entry.secondReview().map(WorklistEntry.SecondReview::reviewer));
        json.put("secondReviewId", entry.secondReview().map(WorklistEntry.SecondReview::review));
        json.put("disagreements", entry.secondReview().map(WorklistEntry.SecondReview::disagreements));
        return json;
    }
}
