package org.plant4j.server.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;

/** Reads documents from request bodies and rejects those that cannot be coded. */
public final class DocumentReader {

    private static final int MAX_DOCUMENTS = 200;

    private final int maxCharacters;

    public DocumentReader(int maxCharacters) {
        this.maxCharacters = maxCharacters;
    }

    /** Reads {@code {"text"}} or {@code {"documents"}} as one encounter. */
    Encounter readEncounter(JsonFields body) {
        if (body.has("text") == body.has("documents")) {
            throw ApiException.unprocessable(
                    body.has("text") ? "Both text and documents are given" : "Neither text nor documents are given",
                    body.path(),
                    "send {\"text\": …} or {\"documents\": […]}");
        }
        Encounter encounter = new Encounter(
                body.has("text")
                        ? List.of(new SourceDocument("document", "", body.text("text")))
                        : readDocuments(body));
        return validate(encounter, body.path());
    }

    List<SourceDocument> readDocuments(JsonFields body) {
        List<SourceDocument> documents = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonFields document : body.objects("documents", MAX_DOCUMENTS)) {
            document.allow("id", "title", "text");
            String id = document.optionalShortText("id").orElse(String.valueOf(documents.size() + 1));
            if (!ids.add(id)) {
                throw ApiException.unprocessable(
                        "Duplicate document id", document.pathOf("id"), "use a unique id per document");
            }
            documents.add(
                    new SourceDocument(id, document.optionalShortText("title").orElse(""), document.text("text")));
        }
        return documents;
    }

    /** Rejects documents that are too long or have no letters. */
    public Encounter validate(Encounter encounter, String where) {
        if (encounter.text().length() > maxCharacters) {
            throw new ApiException(
                    ApiException.TOO_LARGE,
                    "The document has " + encounter.text().length() + " characters, more than " + maxCharacters,
                    where,
                    "code fewer documents together, or start the server with a larger --max-length");
        }
        if (encounter.text().codePoints().noneMatch(Character::isLetter)) {
            throw ApiException.unprocessable("The document contains no letters", where, "send the text of a document");
        }
        return encounter;
    }
}
