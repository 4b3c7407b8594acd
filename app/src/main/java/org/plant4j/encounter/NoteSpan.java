package org.plant4j.encounter;

/** Characters of a note, as UTF-16 indices, that speak for a code, and how much of the evidence they hold. */
public record NoteSpan(String note, int start, int end, double weight) {

    public NoteSpan {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("span: " + start + " to " + end + " (expected: 0 <= start <= end)");
        }
    }
}
