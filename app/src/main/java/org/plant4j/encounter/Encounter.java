package org.plant4j.encounter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;

/** The documents of one encounter, joined to one text that is coded; maps spans between the text and the documents. */
public final class Encounter {

    /** Separates the last word of a document from the first word of the next. */
    private static final String SEPARATOR = "\n\n";

    private final List<SourceDocument> documents;
    private final int[] starts;
    private final String text;

    public Encounter(List<SourceDocument> documents) {
        this.documents = List.copyOf(documents);
        this.starts = new int[documents.size()];
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < starts.length; i++) {
            joined.append(i == 0 ? "" : SEPARATOR);
            starts[i] = joined.length();
            joined.append(documents.get(i).text());
        }
        this.text = joined.toString();
    }

    public String text() {
        return text;
    }

    public List<SourceDocument> documents() {
        return documents;
    }

    /** The span of the joined text that corresponds to a span of a document. */
    public Span toTextSpan(String document, int start, int end) {
        for (int i = 0; i < starts.length; i++) {
            if (documents.get(i).id().equals(document)) {
                return new Span(starts[i] + start, starts[i] + end);
            }
        }
        throw new IllegalArgumentException("no document of the encounter has the id " + document);
    }

    /** Maps the evidence of a suggestion from the joined text to the documents. */
    public Suggestion locate(Suggestion suggestion) {
        return suggestion.withEvidence(byDocument(suggestion.evidence()));
    }

    /** A span that crosses the border of two documents is split, and its weight divided by the number of characters. */
    List<Evidence> byDocument(List<Evidence> evidence) {
        List<Evidence> all = new ArrayList<>();
        for (Evidence each : evidence) {
            int inside = 0;
            for (int i = 0; i < starts.length; i++) {
                inside += overlap(each.span(), i);
            }
            for (int i = 0; i < starts.length; i++) {
                int characters = overlap(each.span(), i);
                if (characters > 0) {
                    SourceDocument document = documents.get(i);
                    int start = Math.max(each.span().start() - starts[i], 0);
                    int end = start + characters;
                    all.add(new Evidence(
                            new Span(start, end),
                            document.text().substring(start, end),
                            each.weight() * characters / inside,
                            each.traits(),
                            Optional.of(document.id())));
                }
            }
        }
        return all;
    }

    private int overlap(Span span, int document) {
        int end = starts[document] + documents.get(document).text().length();
        return Math.max(0, Math.min(span.end(), end) - Math.max(span.start(), starts[document]));
    }
}
