package org.plant4j.server.api;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.plant4j.Band;
import org.plant4j.Trait;
import org.plant4j.encounter.Encounter;
import org.plant4j.review.PresentOnAdmission;
import org.plant4j.review.Review;
import org.plant4j.review.StoredReview;
import org.plant4j.server.http.ApiException;
import org.plant4j.server.http.JsonFields;
import org.plant4j.server.search.CodeCatalog;

/** Reads reviews from JSON and writes them as JSON. */
public final class ReviewJson {

    private static final int MAX_CODES = 2000;
    private static final int MAX_ASSIGNED = 200; // as in /api/edits: each code is compared with all others
    private static final int MAX_SPANS = 500;
    private static final int MAX_COMMENT_LENGTH = 10_000;
    private static final int MAX_SECONDS = 86_400;

    private final DocumentReader reader;
    private final CodeCatalog codes;

    public ReviewJson(DocumentReader reader, CodeCatalog codes) {
        this.reader = reader;
        this.codes = codes;
    }

    Review parse(JsonFields body) {
        body.allow("encounter", "version", "inDomain", "reason", "shown", "decisions", "comment", "seconds");
        JsonFields fields = body.object("encounter").allow("id", "date", "documents");
        Encounter encounter = reader.validate(new Encounter(reader.readDocuments(fields)), fields.path());
        Map<String, String> texts = new HashMap<>();
        encounter.documents().forEach(document -> texts.put(document.id(), document.text()));
        Set<String> listed = new HashSet<>();
        List<Review.ShownCode> shown = body.objects("shown", MAX_CODES).stream()
                .map(each -> shown(each, listed))
                .toList();
        Set<String> decided = new HashSet<>();
        Set<String> suggestions = new HashSet<>();
        List<Review.Decision> decisions = body.objects("decisions", MAX_CODES).stream()
                .map(each -> decision(each, texts, decided, suggestions))
                .toList();
        Optional<String> comment = body.optionalText("comment");
        if (comment.isPresent() && comment.get().length() > MAX_COMMENT_LENGTH) {
            throw ApiException.unprocessable(
                    "The comment is longer than " + MAX_COMMENT_LENGTH + " characters", "comment", "shorten it");
        }
        Review review = new Review(
                id(fields),
                fields.optionalDate("date").map(LocalDate::toString),
                encounter.documents(),
                body.shortText("version"),
                outOfDomain(body),
                shown,
                decisions,
                comment,
                seconds(body),
                Optional.empty());
        if (review.assignedCodes().size() > MAX_ASSIGNED) {
            throw ApiException.unprocessable(
                    "More than " + MAX_ASSIGNED + " codes are assigned", "decisions", "assign fewer codes");
        }
        return review;
    }

    /** How long the coder worked on the encounter; nobody works on one for more than a day. */
    private static Optional<Integer> seconds(JsonFields body) {
        return body.has("seconds") ? Optional.of(body.integer("seconds", 0, MAX_SECONDS)) : Optional.empty();
    }

    /** The id of the encounter. A blank one would join the reviews of different encounters. */
    private static Optional<String> id(JsonFields encounter) {
        Optional<String> id = encounter.optionalShortText("id");
        if (id.filter(String::isBlank).isPresent()) {
            throw ApiException.unprocessable(
                    "The id is blank", encounter.pathOf("id"), "send the id of the encounter, or leave the field out");
        }
        return id;
    }

    /** The reason why the text was out of domain, if it was. */
    private static Optional<String> outOfDomain(JsonFields body) {
        boolean inDomain = body.bool("inDomain", true);
        if (inDomain == body.has("reason")) {
            throw ApiException.unprocessable(
                    inDomain ? "Only a text out of domain has a reason" : "A text out of domain needs the reason",
                    "reason",
                    "send inDomain and reason as in the response of /api/code");
        }
        return body.optionalShortText("reason");
    }

    private static Review.ShownCode shown(JsonFields fields, Set<String> listed) {
        fields.allow("code", "probability", "band", "traits");
        String code = fields.shortText("code");
        if (!listed.add(code)) {
            throw ApiException.unprocessable("Duplicate code", fields.pathOf("code"), "list each shown code once");
        }
        return new Review.ShownCode(
                code,
                fields.probability("probability"),
                fields.choice("band", Band.class),
                fields.choices("traits", Trait.class));
    }

    private Review.Decision decision(
            JsonFields fields, Map<String, String> texts, Set<String> decided, Set<String> suggestions) {
        fields.allow("code", "decision", "from", "evidence", "presentOnAdmission");
        String code = code(fields, "code");
        if (!decided.add(code)) {
            throw ApiException.unprocessable(
                    "Duplicate decision for a code", fields.pathOf("code"), "send one decision per code");
        }
        Review.Verdict verdict = fields.choice("decision", Review.Verdict.class);
        boolean changed = verdict == Review.Verdict.CHANGED;
        if (changed != fields.has("from")) {
            throw ApiException.unprocessable(
                    changed ? "A changed code needs the code it replaces" : "Only a changed code replaces another",
                    fields.pathOf("from"),
                    changed ? "add the suggested code" : "remove the field");
        }
        Optional<String> from = changed ? Optional.of(code(fields, "from")) : Optional.empty();
        if (!suggestions.add(from.orElse(code))) {
            throw ApiException.unprocessable(
                    "Duplicate decision for a suggestion", fields.pathOf("from"), "send one decision per suggestion");
        }
        List<Review.MarkedSpan> evidence = fields.objects("evidence", MAX_SPANS).stream()
                .map(span -> markedSpan(span, texts))
                .toList();
        return new Review.Decision(code, verdict, from, evidence, presentOnAdmission(fields, verdict));
    }

    private static Optional<PresentOnAdmission> presentOnAdmission(JsonFields fields, Review.Verdict verdict) {
        String name = "presentOnAdmission";
        Optional<String> indicator = fields.optionalShortText(name);
        if (indicator.isPresent() && verdict == Review.Verdict.REJECTED) {
            throw ApiException.unprocessable(
                    "A rejected code has no present-on-admission indicator", fields.pathOf(name), "remove the field");
        }
        return indicator.map(value -> PresentOnAdmission.of(value)
                .orElseThrow(() -> ApiException.unprocessable(
                        "Invalid value",
                        fields.pathOf(name),
                        "use one of " + String.join(", ", PresentOnAdmission.indicators()))));
    }

    private String code(JsonFields fields, String name) {
        String code = fields.text(name);
        if (code.isBlank() || !codes.contains(code)) {
            throw ApiException.unprocessable("Unknown code", fields.pathOf(name), "search with /api/codes?q=");
        }
        return code;
    }

    private static Review.MarkedSpan markedSpan(JsonFields fields, Map<String, String> texts) {
        fields.allow("document", "start", "end", "weight");
        String document = fields.text("document");
        String text = texts.get(document);
        if (text == null) {
            throw ApiException.unprocessable(
                    "Unknown document", fields.pathOf("document"), "use the id of a document of the encounter");
        }
        int start = fields.integer("start", 0, text.length());
        int end = fields.integer("end", start + 1, text.length()); // training data has no empty spans
        if (splitsCharacter(text, start) || splitsCharacter(text, end)) {
            throw ApiException.unprocessable(
                    "A span begins or ends within a character",
                    fields.path(),
                    "count UTF-16 code units, and do not split surrogate pairs");
        }
        return new Review.MarkedSpan(document, start, end);
    }

    private static boolean splitsCharacter(String text, int index) {
        return index > 0
                && index < text.length()
                && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
    }

    /** A stored review in the format in which it was submitted, with id, time and reviewer. */
    public static Map<String, Object> toJson(StoredReview stored) {
        Review review = stored.review();
        Map<String, Object> encounter = new LinkedHashMap<>();
        encounter.put("id", review.encounter());
        encounter.put("date", review.date());
        encounter.put("documents", review.documents());
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", stored.id());
        json.put("at", stored.at().toString());
        json.put("reviewer", stored.reviewer());
        json.put("document", stored.document());
        json.put("supersedes", stored.supersedes());
        json.put("encounter", encounter);
        json.put("version", review.version());
        json.put("inDomain", review.outOfDomain().isEmpty());
        review.outOfDomain().ifPresent(reason -> json.put("reason", reason));
        json.put("shown", review.shown());
        json.put("decisions", review.decisions());
        json.put("comment", review.comment());
        json.put("seconds", review.seconds());
        json.put("second", review.second());
        return json;
    }
}
