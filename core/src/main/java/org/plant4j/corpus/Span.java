package org.plant4j.corpus;

/** A stretch of a text, in UTF-16 units as Java and browsers count: from {@code start} up to, not including, {@code end}. */
public record Span(int start, int end) implements Comparable<Span> {

    public Span {
        if (start < 0 || end < start) {
            throw new IllegalArgumentException("span: " + start + " to " + end + " (expected: 0 <= start <= end)");
        }
    }

    public boolean overlaps(Span other) {
        return start < other.end && other.start < end;
    }

    public int length() {
        return end - start;
    }

    @Override
    public int compareTo(Span other) {
        return start != other.start ? Integer.compare(start, other.start) : Integer.compare(end, other.end);
    }
}
