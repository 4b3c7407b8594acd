package org.plant4j.server.api;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.plant4j.encounter.Encounter;
import org.plant4j.encounter.Note;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;

/** Reads notes from request bodies and rejects those that cannot be coded. */
public final class NoteReader {

    private static final int MAX_NOTES = 200;

    private final int maxCharacters;

    public NoteReader(int maxCharacters) {
        this.maxCharacters = maxCharacters;
    }

    /** Reads {@code {"text"}} or {@code {"notes"}} as one document. */
    Encounter readEncounter(JsonFields body) {
        if (body.has("text") == body.has("notes")) {
            throw ApiException.unprocessable(
                    body.has("text") ? "Both text and notes are given" : "Neither text nor notes are given",
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
        for (JsonFields note : body.objects("notes", MAX_NOTES)) {
            note.allow("id", "title", "text");
            String id = note.optionalShortText("id").orElse(String.valueOf(notes.size() + 1));
            if (!ids.add(id)) {
                throw ApiException.unprocessable("Duplicate note id", note.pathOf("id"), "use a unique id per note");
            }
            notes.add(new Note(id, note.optionalShortText("title").orElse(""), note.text("text")));
        }
        return notes;
    }

    /** Rejects documents that are too long or have no letters. */
    Encounter validate(Encounter encounter, String where) {
        if (encounter.text().length() > maxCharacters) {
            throw new ApiException(
                    ApiException.TOO_LARGE,
                    "The document has " + encounter.text().length() + " characters, more than " + maxCharacters,
                    where,
                    "code fewer notes together, or start the server with a larger --max-length");
        }
        if (encounter.text().codePoints().noneMatch(Character::isLetter)) {
            throw ApiException.unprocessable("The document contains no letters", where, "send the text of a note");
        }
        return encounter;
    }
}
