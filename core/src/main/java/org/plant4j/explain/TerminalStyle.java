package org.plant4j.explain;

/**
 * How a marked text is shown in a terminal: lines of {@code width} columns, marks in colour or as «quotes», the whole text
 * or only the sentences with evidence and {@code context} more on either side (-1: the whole text).
 */
public record TerminalStyle(int width, boolean colour, int context) {

    public TerminalStyle {
        if (width < 20) {
            throw new IllegalArgumentException("width: " + width + " (expected: >= 20)");
        }
        if (context < -1) {
            throw new IllegalArgumentException("context: " + context + " (expected: >= -1)");
        }
    }

    public static TerminalStyle wholeDocument(int width, boolean colour) {
        return new TerminalStyle(width, colour, -1);
    }

    public static TerminalStyle evidenceSentences(int width, boolean colour, int context) {
        return new TerminalStyle(width, colour, context);
    }

    boolean wholeText() {
        return context < 0;
    }
}
