package org.plant4j;

import java.io.Serializable;
import org.plant4j.support.Arguments;

/**
 * A range of characters of a text in UTF-16 code units, {@code end} exclusive, as Java and JavaScript count them.
 *
 * @param start the position of the first character
 * @param end the position after the last character
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // the tag keeps the fields of a record out of the documented serialized form
public record Span(int start, int end) implements Comparable<Span>, Serializable {

    private static final long serialVersionUID = 1;

    /**
     * Checks that the end is not before the start.
     *
     * @param start the position of the first character
     * @param end the position after the last character
     */
    public Span {
        if (start < 0 || start > end) {
            throw Arguments.invalid("span", start + " to " + end, "0 <= start <= end");
        }
    }

    /**
     * Whether the spans have a character in common.
     *
     * @param other another span of the same text
     * @return true if they have a character in common
     */
    public boolean overlaps(Span other) {
        return start < other.end && other.start < end;
    }

    /**
     * The length of the span.
     *
     * @return the number of UTF-16 code units
     */
    public int length() {
        return end - start;
    }

    /** Orders by start, then by end. */
    @Override
    public int compareTo(Span other) {
        return start != other.start ? Integer.compare(start, other.start) : Integer.compare(end, other.end);
    }
}
