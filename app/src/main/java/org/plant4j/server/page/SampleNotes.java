package org.plant4j.server.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.DomainCheck;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.report.Html;
import org.plant4j.server.http.Json;

/** Synthetic sample notes in the model's language. */
public final class SampleNotes {

    private static final int DEMO_NOTES = 4;

    private static final Pattern CHIEF_COMPLAINT =
            Pattern.compile("(?im)^(?:chief complaint|cc|reason for admission):\\s*(\\S.{0,59})");

    /** A line of empty form fields: {@code Name: ___ Unit No: ___}. */
    private static final Pattern EMPTY_FORM = Pattern.compile("(?:[\\w ]*:\\s*(?:_+\\s*|$))*");

    private SampleNotes() {}

    /** The notes in the domain of a model, by its check; all notes if there are none. */
    public static List<SourceDocument> forModel(Function<String, DomainCheck> check) {
        List<SourceDocument> all = new ArrayList<>();
        try (Stream<Document> demo = new DemoCorpus(Split.TEST, 1).documents()) {
            demo.limit(DEMO_NOTES)
                    .forEach(note -> all.add(new SourceDocument(note.id(), title(note.text()), note.text())));
        }
        for (JsonNode note : Json.parse(Html.resource(SampleNotes.class, "samples.json"))) {
            all.add(new SourceDocument(
                    note.path("id").asText(),
                    note.path("title").asText(),
                    note.path("text").asText()));
        }
        List<SourceDocument> inDomain =
                all.stream().filter(note -> check.apply(note.text()).inDomain()).toList();
        return inDomain.isEmpty() ? List.copyOf(all) : inDomain;
    }

    /** The chief complaint, or else the first line that is not an empty form. */
    static String title(String text) {
        Matcher complaint = CHIEF_COMPLAINT.matcher(text);
        if (complaint.find()) {
            return "Discharge summary: " + complaint.group(1).strip().toLowerCase(Locale.ROOT);
        }
        return text.lines()
                .map(String::strip)
                .filter(line -> !EMPTY_FORM.matcher(line).matches())
                .findFirst()
                .orElse("Discharge summary");
    }
}
