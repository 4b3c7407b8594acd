package org.plant4j.encounter;

import java.util.ArrayList;
import java.util.List;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.WeightedSpan;

/** The notes of one encounter, coded as one text; knows for every character of it which note it came from. */
public final class Encounter {

    /** Keeps the last word of a note from the first of the next. */
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

    /** The characters of a note as characters of the whole text. */
    public Span toTextSpan(String note, int start, int end) {
        for (int i = 0; i < starts.length; i++) {
            if (notes.get(i).id().equals(note)) {
                return new Span(starts[i] + start, starts[i] + end);
            }
        }
        throw new IllegalArgumentException("note: " + note + " (expected: one of the encounter)");
    }

    /** Evidence note by note; a span over the border of two notes is parted, and its weight by characters. */
    List<NoteSpan> byNote(List<WeightedSpan> evidence) {
        List<NoteSpan> all = new ArrayList<>();
        for (WeightedSpan weighted : evidence) {
            int inside = 0;
            for (int i = 0; i < starts.length; i++) {
                inside += overlap(weighted.span(), i);
            }
            for (int i = 0; i < starts.length; i++) {
                int characters = overlap(weighted.span(), i);
                if (characters > 0) {
                    int start = Math.max(weighted.span().start() - starts[i], 0);
                    double weight = weighted.weight() * characters / inside;
                    all.add(new NoteSpan(notes.get(i).id(), start, start + characters, weight));
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
