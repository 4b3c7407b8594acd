package org.plant4j.corpus.format;

import java.util.HashSet;
import java.util.Set;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.file.TextFiles;

/** Checks the documents of one pass over a file: their ids must be unique, since predictions are stored by id. */
final class DocumentChecks {

    private final Set<String> ids = new HashSet<>();

    /** Returns the document if it is valid and its id is new. */
    Document check(Document document, String where) {
        String id = document.id();
        String text = document.text();
        if (id.isBlank() || text.isBlank()) {
            throw new UserError(
                    "The document has no " + (id.isBlank() ? "id" : "text"), where, "add it, or remove the row");
        }
        if (id.codePoints().anyMatch(Character::isISOControl)) {
            throw new UserError("The id contains a tab, a line break or a control character", where, "remove it");
        }
        if (text.length() > Document.MAX_CHARACTERS) {
            throw TextFiles.tooLong(Document.MAX_CHARACTERS, where);
        }
        if (text.codePoints().anyMatch(c -> Character.isBmpCodePoint(c) && Character.isSurrogate((char) c))) {
            throw new UserError(
                    "The text contains half of a surrogate pair, which no UTF-8 file can store",
                    where,
                    "write the whole character, or remove it");
        }
        if (!ids.add(id)) {
            throw new UserError("Another document of this file has the id '" + id + "'", where, "use unique ids");
        }
        return document;
    }
}
