package org.plant4j.context;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the heading of the section that a line belongs to. */
final class Headings {

    /** The lines of a section that are searched upwards for its heading. */
    private static final int MAX_LINES = 40;

    /** A short line that ends with a colon. */
    private static final Pattern HEADING = Pattern.compile("\\s*([^\\n:.]{1,60}):\\s*");

    /** A line with a heading and its section: "Allergies: none". */
    private static final Pattern INLINE_HEADING = Pattern.compile("\\s*([^\\n:.,;]{1,40}):.*", Pattern.DOTALL);

    private Headings() {}

    /**
     * The heading above the line at a position, or at the start of this line. A heading that stands alone holds up to the next
     * heading or blank line, a heading within a line only for this line.
     */
    static Optional<String> above(String text, int position) {
        int start = Sentences.lineStart(text, position);
        Matcher inline = INLINE_HEADING.matcher(text).region(start, position);
        if (inline.matches()) {
            return Optional.of(inline.group(1));
        }
        for (int lines = 0; lines < MAX_LINES && start > 0; lines++) {
            int end = Sentences.lineEnd(text, start - 1);
            start = Sentences.lineStart(text, end);
            Matcher heading = HEADING.matcher(text).region(start, end);
            if (heading.matches()) {
                return Optional.of(heading.group(1));
            }
            boolean blank = text.substring(start, end).isBlank();
            if (blank || INLINE_HEADING.matcher(text).region(start, end).matches()) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
