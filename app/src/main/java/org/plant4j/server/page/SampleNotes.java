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
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.encounter.Note;
import org.plant4j.report.Html;
import org.plant4j.server.http.Json;

/** Made-up notes to try the desk with: those whose language the model knows. */
public final class SampleNotes {

    /** Of a note in the model's language more words are known than these; of another language far fewer. */
    private static final double MIN_KNOWN_SHARE = 0.6;

    private static final int DEMO_NOTES = 4;

    private static final Pattern CHIEF_COMPLAINT =
            Pattern.compile("(?im)^(?:chief complaint|cc|reason for admission):\\s*(\\S.{0,59})");

    /** A line of nothing but headings and blanks: {@code Name: ___ Unit No: ___}. */
    private static final Pattern EMPTY_FORM = Pattern.compile("(?:[\\w ]*:\\s*(?:_+\\s*|$))*");

    private SampleNotes() {}

    /** {@code known} is the share of a text's words that the model met in training. */
    public static List<Note> forModel(ToDoubleFunction<String> known) {
        List<Note> all = new ArrayList<>();
        try (Stream<Document> demo = DemoCorpus.of(DemoCorpus.Part.TEST, 1).documents()) {
            demo.limit(DEMO_NOTES).forEach(note -> all.add(new Note(note.id(), title(note.text()), note.text())));
        }
        for (JsonNode note : Json.parse(Html.resource(SampleNotes.class, "samples.json"))) {
            all.add(new Note(
                    note.path("id").asText(),
                    note.path("title").asText(),
                    note.path("text").asText()));
        }
        List<Note> fitting = all.stream()
                .filter(note -> known.applyAsDouble(note.text()) > MIN_KNOWN_SHARE)
                .toList();
        return fitting.isEmpty() ? List.copyOf(all) : fitting;
    }

    /** What brought the patient in; else the first line that says something. */
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
