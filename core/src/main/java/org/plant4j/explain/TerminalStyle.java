package org.plant4j.explain;

import org.plant4j.support.Arguments;

/**
 * Rendering options of a highlighted text in a terminal.
 *
 * @param width columns per line
 * @param colour whether to highlight with background colours instead of «quotes»
 * @param context sentences to show around each sentence with evidence; -1 for the whole text
 */
public record TerminalStyle(int width, boolean colour, int context) {

    public TerminalStyle {
        Arguments.atLeast(20, "width", width);
        Arguments.atLeast(-1, "context", context);
    }

    /** Shows the whole text. */
    public static TerminalStyle wholeDocument(int width, boolean colour) {
        return new TerminalStyle(width, colour, -1);
    }

    /** Shows the sentences with evidence and their context. */
    public static TerminalStyle evidenceSentences(int width, boolean colour, int context) {
        return new TerminalStyle(width, colour, context);
    }

    boolean wholeText() {
        return context < 0;
    }
}
