package org.plant4j.server.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.encounter.SourceDocument;
import org.plant4j.report.Html;
import org.plant4j.server.http.Json;

/** Synthetic sample notes in the model's language. */
public final class SampleNotes {

    /** In the model's language, more than this share of a note's tokens is in the vocabulary; in others, far less. */
    private static final double MIN_COVERAGE = 0.6;

    private static final int DEMO_NOTES = 4;

    private static final Pattern CHIEF_COMPLAINT =
            Pattern.compile("(?im)^(?:chief complaint|cc|reason for admission):\\s*(\\S.{0,59})");

    /** A line of empty form fields: {@code Name: ___ Unit No: ___}. */
    private static final Pattern EMPTY_FORM = Pattern.compile("(?:[\\w ]*:\\s*(?:_+\\s*|$))*");

    private SampleNotes() {}

    /** {@code coverage} returns the share of a text's tokens that are in the model's vocabulary. */
    public static List<SourceDocument> forModel(ToDoubleFunction<String> coverage) {
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
        List<SourceDocument> inLanguage = all.stream()
                .filter(note -> coverage.applyAsDouble(note.text()) > MIN_COVERAGE)
                .toList();
        return inLanguage.isEmpty() ? List.copyOf(all) : inLanguage;
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
