package org.plant4j.server.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.Note;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;

/** Reads notes out of requests and refuses those that cannot be coded. */
public record NoteReader(int maxCharacters) {

    private static final int MAX_NOTES = 200;
    private static final int MAX_NAME_LENGTH = 200;

    /** The notes of {@code {"text"}} or {@code {"notes"}}, which together make one document. */
    Encounter readEncounter(JsonFields body) {
        if (body.has("text") == body.has("notes")) {
            throw ApiException.unprocessable(
                    body.has("text") ? "There are both text and notes" : "There is neither text nor notes",
                    body.path(),
                    "send {\"text\": …} or {\"notes\": […]}");
        }
        Encounter encounter =
                new Encounter(body.has("text") ? List.of(new Note("note", "", body.text("text"))) : readNotes(body));
        return validate(encounter, body.path());
    }

    List<Note> readNotes(JsonFields body) {
        List<Note> notes = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (JsonFields each : body.objects("notes", MAX_NOTES)) {
            each.allow("id", "title", "text");
            String id = shortText(each, "id").orElse(String.valueOf(notes.size() + 1));
            if (!ids.add(id)) {
                throw ApiException.unprocessable("Two notes have one id", each.pathOf("id"), "give each its own");
            }
            notes.add(new Note(id, shortText(each, "title").orElse(""), each.text("text")));
        }
        return notes;
    }

    Encounter validate(Encounter encounter, String where) {
        if (encounter.text().length() > maxCharacters) {
            throw new ApiException(
                    ApiException.TOO_LARGE,
                    "The document has " + encounter.text().length() + " characters, more than " + maxCharacters,
                    where,
                    "code fewer notes together, or start the server with a larger --max-text");
        }
        if (encounter.text().codePoints().noneMatch(Character::isLetter)) {
            throw ApiException.unprocessable("The document has no word", where, "send a text to code");
        }
        return encounter;
    }

    static Optional<String> shortText(JsonFields fields, String name) {
        return fields.optionalText(name).map(text -> {
            if (text.length() > MAX_NAME_LENGTH) {
                throw ApiException.unprocessable(
                        "This is longer than " + MAX_NAME_LENGTH + " characters", fields.pathOf(name), "shorten it");
            }
            return text;
        });
    }
}
