package org.plant4j.app.desk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads notes out of requests and refuses those that cannot be coded. */
record Notes(int maxText) {

    private static final int MOST_NOTES = 200;
    private static final int LONGEST_NAME = 200;

    /** The notes of {@code {"text"}} or {@code {"notes"}}, which together make one document. */
    Encounter encounter(Fields body) {
        if (body.has("text") == body.has("notes")) {
            throw Problem.senseless(
                    body.has("text") ? "There are both text and notes" : "There is neither text nor notes",
                    body.where(),
                    "send {\"text\": …} or {\"notes\": […]}");
        }
        Encounter encounter =
                new Encounter(body.has("text") ? List.of(new Note("note", "", body.text("text"))) : notes(body));
        return checked(encounter, body.where());
    }

    List<Note> notes(Fields body) {
        List<Note> notes = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Fields each : body.objects("notes", MOST_NOTES)) {
            each.only("id", "title", "text");
            String id = name(each, "id").orElse(String.valueOf(notes.size() + 1));
            if (!ids.add(id)) {
                throw Problem.senseless("Two notes have one id", each.at("id"), "give each its own");
            }
            notes.add(new Note(id, name(each, "title").orElse(""), each.text("text")));
        }
        return notes;
    }

    Encounter checked(Encounter encounter, String where) {
        if (encounter.text().length() > maxText) {
            throw new Problem(
                    Problem.TOO_LARGE,
                    "The document has " + encounter.text().length() + " characters, more than " + maxText,
                    where,
                    "code fewer notes together, or start the server with a larger --max-text");
        }
        if (encounter.text().codePoints().noneMatch(Character::isLetter)) {
            throw Problem.senseless("The document has no word", where, "send a text to code");
        }
        return encounter;
    }

    static Optional<String> name(Fields fields, String name) {
        return fields.optionalText(name).map(text -> {
            if (text.length() > LONGEST_NAME) {
                throw Problem.senseless(
                        "This is longer than " + LONGEST_NAME + " characters", fields.at(name), "shorten it");
            }
            return text;
        });
    }
}
