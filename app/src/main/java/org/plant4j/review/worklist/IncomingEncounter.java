package org.plant4j.review.worklist;

import java.time.LocalDate;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.UserError;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.support.Sha256;

/**
 * Documents of an encounter that arrive for coding, from any source.
 *
 * @param id the sender's id of the encounter
 * @param date the day on which the codes must be valid, such as that of the discharge
 */
public record IncomingEncounter(String id, Optional<LocalDate> date, List<SourceDocument> documents) {

    private static final int MAX_ID_LENGTH = 200;
    private static final int MAX_TITLE_LENGTH = 200;
    private static final int DERIVED_ID_LENGTH = 24;

    public IncomingEncounter {
        documents = documents.stream()
                .map(each -> new SourceDocument(each.id(), title(each.title()), each.text()))
                .toList();
        requireId(id, "encounter id");
        if (documents.isEmpty()) {
            throw new UserError("The encounter has no documents", "encounter", "send at least one document");
        }
        Set<String> ids = new HashSet<>();
        for (SourceDocument document : documents) {
            requireId(document.id(), "document id");
            if (!ids.add(document.id())) {
                throw new UserError("Two documents have the same id", "document id", "use a unique id per document");
            }
            requireText(document.text());
        }
    }

    /** An id for a document without one: the same text always has the same id, so that it can be sent twice. */
    public static String derivedId(String text) {
        return "text-" + Sha256.of(text).substring(0, DERIVED_ID_LENGTH);
    }

    private static void requireId(String id, String where) {
        if (id.isBlank() || id.length() > MAX_ID_LENGTH || !isStorable(id)) {
            throw new UserError(
                    "The id is blank, too long or has invalid characters",
                    where,
                    "send an id of at most " + MAX_ID_LENGTH + " characters");
        }
    }

    /** Titles are only shown, so a long one is shortened. */
    private static String title(String title) {
        if (!isStorable(title)) {
            throw new UserError(
                    "The title contains a NUL character or an unpaired surrogate",
                    "document title",
                    "remove the character");
        }
        return title.codePointCount(0, title.length()) <= MAX_TITLE_LENGTH
                ? title
                : title.substring(0, title.offsetByCodePoints(0, MAX_TITLE_LENGTH - 1)) + "…";
    }

    private static void requireText(String text) {
        if (text.codePoints().noneMatch(Character::isLetter)) {
            throw new UserError("The document contains no letters", "document text", "send the text of a document");
        }
        if (!isStorable(text)) {
            throw new UserError(
                    "The text contains a NUL character or an unpaired surrogate",
                    "document text",
                    "remove the character");
        }
    }

    /** NUL and unpaired surrogates cannot be stored by every database. */
    private static boolean isStorable(String text) {
        return text.codePoints()
                .noneMatch(
                        point -> point == 0 || (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE));
    }
}
