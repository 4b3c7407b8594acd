package org.plant4j.app.desk;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.app.review.Review;
import org.plant4j.app.review.StoredReview;
import org.plant4j.eval.Band;

/** Reviews as the API speaks of them. */
final class ReviewBody {

    private static final int MOST_CODES = 2000;
    private static final int MOST_MARKS = 500;
    private static final int LONGEST_COMMENT = 10_000;

    private final Notes notes;
    private final Codes codes;

    ReviewBody(Notes notes, Codes codes) {
        this.notes = notes;
        this.codes = codes;
    }

    Review read(Fields body) {
        body.only("document", "version", "shown", "decisions", "comment");
        Fields document = body.object("document").only("id", "notes");
        Encounter encounter = notes.checked(new Encounter(notes.notes(document)), document.where());
        Map<String, Integer> lengths = new HashMap<>();
        encounter.notes().forEach(note -> lengths.put(note.id(), note.text().length()));
        List<Review.Shown> shown = body.objects("shown", MOST_CODES).stream()
                .map(ReviewBody::shown)
                .toList();
        Set<String> decided = new HashSet<>();
        List<Review.Decision> decisions = body.objects("decisions", MOST_CODES).stream()
                .map(fields -> decision(fields, lengths, decided))
                .toList();
        Optional<String> comment = body.optionalText("comment");
        if (comment.isPresent() && comment.get().length() > LONGEST_COMMENT) {
            throw Problem.senseless(
                    "The comment is longer than " + LONGEST_COMMENT + " characters", "comment", "shorten it");
        }
        return new Review(Notes.name(document, "id"), encounter.notes(), version(body), shown, decisions, comment);
    }

    private static String version(Fields body) {
        body.text("version");
        return Notes.name(body, "version").orElseThrow();
    }

    private static Review.Shown shown(Fields fields) {
        fields.only("code", "probability", "band");
        fields.text("code");
        return new Review.Shown(
                Notes.name(fields, "code").orElseThrow(),
                fields.probability("probability"),
                fields.choice("band", Band.class));
    }

    private Review.Decision decision(Fields fields, Map<String, Integer> lengths, Set<String> decided) {
        fields.only("code", "decision", "from", "evidence");
        String code = code(fields, "code");
        if (!decided.add(code)) {
            throw Problem.senseless("A code is decided on twice", fields.at("code"), "send one decision a code");
        }
        Review.Verdict verdict = fields.choice("decision", Review.Verdict.class);
        boolean changed = verdict == Review.Verdict.CHANGED;
        if (changed != fields.has("from")) {
            throw Problem.senseless(
                    changed ? "A changed code does not say from which" : "Only a changed code comes from another",
                    fields.at("from"),
                    changed ? "give the code it replaces" : "drop the field");
        }
        Optional<String> from = changed ? Optional.of(code(fields, "from")) : Optional.empty();
        List<Review.Mark> marks = fields.objects("evidence", MOST_MARKS).stream()
                .map(mark -> mark(mark, lengths))
                .toList();
        return new Review.Decision(code, verdict, from, marks);
    }

    private String code(Fields fields, String name) {
        String code = fields.text(name);
        if (code.isBlank() || !codes.isPossible(code)) {
            throw Problem.senseless("The code book has no such code", fields.at(name), "search it with /api/codes?q=");
        }
        return code;
    }

    private static Review.Mark mark(Fields fields, Map<String, Integer> lengths) {
        fields.only("note", "start", "end", "weight");
        String note = fields.text("note");
        Integer length = lengths.get(note);
        if (length == null) {
            throw Problem.senseless("There is no such note", fields.at("note"), "name a note of the document");
        }
        int start = fields.integer("start", 0, length);
        return new Review.Mark(note, start, fields.integer("end", start, length));
    }

    /** A stored review, with the fields it came with. */
    static Map<String, Object> view(StoredReview stored) {
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
