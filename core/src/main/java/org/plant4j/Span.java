package org.plant4j;

import java.io.Serializable;
import org.plant4j.support.Arguments;

/** A range of characters of a text in UTF-16 code units, {@code end} exclusive, as Java and JavaScript count them. */
public record Span(int start, int end) implements Comparable<Span>, Serializable {

    private static final long serialVersionUID = 1;

    public Span {
        Arguments.check(0 <= start && start <= end, "span", start + " to " + end, "0 <= start <= end");
    }

    public boolean overlaps(Span other) {
        return start < other.end && other.start < end;
    }

    public int length() {
        return end - start;
    }

    /** Orders by start, then by end. */
    @Override
    public int compareTo(Span other) {
        return start != other.start ? Integer.compare(start, other.start) : Integer.compare(end, other.end);
    }
}
