package org.plant4j.encounter;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Suggestion;

/** The notes of one encounter, joined to one text that is coded; maps spans between the text and the notes. */
public final class Encounter {

    /** Separates the last word of a note from the first word of the next. */
    private static final String SEPARATOR = "\n\n";

    private final List<Note> notes;
    private final int[] starts;
    private final String text;

    public Encounter(List<Note> notes) {
        this.notes = List.copyOf(notes);
        this.starts = new int[notes.size()];
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < starts.length; i++) {
            joined.append(i == 0 ? "" : SEPARATOR);
            starts[i] = joined.length();
            joined.append(notes.get(i).text());
        }
        this.text = joined.toString();
    }

    public String text() {
        return text;
    }

    public List<Note> notes() {
        return notes;
    }

    /** The span of the joined text that corresponds to a span of a note. */
    public Span toTextSpan(String note, int start, int end) {
        for (int i = 0; i < starts.length; i++) {
            if (notes.get(i).id().equals(note)) {
                return new Span(starts[i] + start, starts[i] + end);
            }
        }
        throw new IllegalArgumentException("no note of the encounter has the id " + note);
    }

    /** Maps the evidence of a suggestion from the joined text to the notes. */
    public Suggestion locate(Suggestion suggestion) {
        return suggestion.withEvidence(byNote(suggestion.evidence()));
    }

    /** A span that crosses the border of two notes is split, and its weight divided by the number of characters. */
    List<Evidence> byNote(List<Evidence> evidence) {
        List<Evidence> all = new ArrayList<>();
        for (Evidence each : evidence) {
            int inside = 0;
            for (int i = 0; i < starts.length; i++) {
                inside += overlap(each.span(), i);
            }
            for (int i = 0; i < starts.length; i++) {
                int characters = overlap(each.span(), i);
                if (characters > 0) {
                    Note note = notes.get(i);
                    int start = Math.max(each.span().start() - starts[i], 0);
                    int end = start + characters;
                    all.add(new Evidence(
                            new Span(start, end),
                            note.text().substring(start, end),
                            each.weight() * characters / inside,
                            Optional.of(note.id())));
                }
            }
        }
        return all;
    }

    private int overlap(Span span, int note) {
        int end = starts[note] + notes.get(note).text().length();
        return Math.max(0, Math.min(span.end(), end) - Math.max(span.start(), starts[note]));
    }
}
