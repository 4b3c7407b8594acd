package org.plant4j.server.api;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.calibration.Band;
import org.plant4j.encounter.Encounter;
import org.plant4j.review.Review;
import org.plant4j.review.StoredReview;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.search.CodeCatalog;

/** Reviews as the API speaks of them. */
public final class ReviewJson {

    private static final int MAX_CODES = 2000;
    private static final int MAX_SPANS = 500;
    private static final int MAX_COMMENT_LENGTH = 10_000;

    private final NoteReader notes;
    private final CodeCatalog codes;

    public ReviewJson(NoteReader notes, CodeCatalog codes) {
        this.notes = notes;
        this.codes = codes;
    }

    Review parse(JsonFields body) {
        body.allow("document", "version", "shown", "decisions", "comment");
        JsonFields document = body.object("document").allow("id", "notes");
        Encounter encounter = notes.validate(new Encounter(notes.readNotes(document)), document.path());
        Map<String, Integer> lengths = new HashMap<>();
        encounter.notes().forEach(note -> lengths.put(note.id(), note.text().length()));
        List<Review.ShownCode> shown =
                body.objects("shown", MAX_CODES).stream().map(ReviewJson::shown).toList();
        Set<String> decided = new HashSet<>();
        List<Review.Decision> decisions = body.objects("decisions", MAX_CODES).stream()
                .map(fields -> decision(fields, lengths, decided))
                .toList();
        Optional<String> comment = body.optionalText("comment");
        if (comment.isPresent() && comment.get().length() > MAX_COMMENT_LENGTH) {
            throw ApiException.unprocessable(
                    "The comment is longer than " + MAX_COMMENT_LENGTH + " characters", "comment", "shorten it");
        }
        return new Review(
                NoteReader.shortText(document, "id"), encounter.notes(), version(body), shown, decisions, comment);
    }

    private static String version(JsonFields body) {
        body.text("version");
        return NoteReader.shortText(body, "version").orElseThrow();
    }

    private static Review.ShownCode shown(JsonFields fields) {
        fields.allow("code", "probability", "band");
        fields.text("code");
        return new Review.ShownCode(
                NoteReader.shortText(fields, "code").orElseThrow(),
                fields.probability("probability"),
                fields.choice("band", Band.class));
    }

    private Review.Decision decision(JsonFields fields, Map<String, Integer> lengths, Set<String> decided) {
        fields.allow("code", "decision", "from", "evidence");
        String code = code(fields, "code");
        if (!decided.add(code)) {
            throw ApiException.unprocessable(
                    "A code is decided on twice", fields.pathOf("code"), "send one decision a code");
        }
        Review.Verdict verdict = fields.choice("decision", Review.Verdict.class);
        boolean changed = verdict == Review.Verdict.CHANGED;
        if (changed != fields.has("from")) {
            throw ApiException.unprocessable(
                    changed ? "A changed code does not say from which" : "Only a changed code comes from another",
                    fields.pathOf("from"),
                    changed ? "give the code it replaces" : "drop the field");
        }
        Optional<String> from = changed ? Optional.of(code(fields, "from")) : Optional.empty();
        List<Review.MarkedSpan> marks = fields.objects("evidence", MAX_SPANS).stream()
                .map(mark -> markedSpan(mark, lengths))
                .toList();
        return new Review.Decision(code, verdict, from, marks);
    }

    private String code(JsonFields fields, String name) {
        String code = fields.text(name);
        if (code.isBlank() || !codes.isAssignable(code)) {
            throw ApiException.unprocessable(
                    "The code book has no such code", fields.pathOf(name), "search it with /api/codes?q=");
        }
        return code;
    }

    private static Review.MarkedSpan markedSpan(JsonFields fields, Map<String, Integer> lengths) {
        fields.allow("note", "start", "end", "weight");
        String note = fields.text("note");
        Integer length = lengths.get(note);
        if (length == null) {
            throw ApiException.unprocessable(
                    "There is no such note", fields.pathOf("note"), "name a note of the document");
        }
        int start = fields.integer("start", 0, length);
        return new Review.MarkedSpan(note, start, fields.integer("end", start, length));
    }

    /** A stored review, with the fields it came with. */
    static Map<String, Object> toJson(StoredReview stored) {
        Review review = stored.review();
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("id", review.document());
        document.put("notes", review.notes());
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("id", stored.id());
        view.put("at", stored.at().toString());
        view.put("reviewer", stored.reviewer());
        view.put("document", document);
        view.put("version", review.version());
        view.put("shown", review.shown());
        view.put("decisions", review.decisions());
        view.put("comment", review.comment());
        return view;
    }
}
