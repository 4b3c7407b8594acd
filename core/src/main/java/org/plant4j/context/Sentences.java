package org.plant4j.context;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.Span;

/** The sentences of a text: up to a full stop, a semicolon or the end of a line that is not wrapped. */
final class Sentences {

    /** A sentence extends at most this many characters to either side of a span. */
    private static final int MAX_CONTEXT = 400;

    /** The least length of a line that may continue on the next one. */
    private static final int MIN_WRAPPED_LINE = 50;

    /** The characters before a full stop that may be an abbreviation. */
    private static final int MAX_ABBREVIATION = 12;

    private static final Set<String> ABBREVIATIONS = Set.of(
            "dr", "dra", "drs", "sr", "sra", "mr", "mrs", "ms", "vs", "pt", "st", "fig", "approx", "aprox", "etc");

    private final int length;
    private final int[] ends; // the positions of characters that end a sentence, ascending

    Sentences(String text) {
        this.length = text.length();
        this.ends =
                IntStream.range(0, length).filter(at -> endsSentence(text, at)).toArray();
    }

    /** The sentence around a span. */
    Span around(Span span) {
        int before = firstFrom(span.start()) - 1; // the last end before the span
        int start = before < 0 ? 0 : ends[before] + 1;
        int after = firstFrom(span.end());
        int end = after == ends.length ? length : ends[after];
        return new Span(Math.max(start, span.start() - MAX_CONTEXT), Math.min(end, span.end() + MAX_CONTEXT));
    }

    /** The first end at or after a position, as an index. */
    private int firstFrom(int position) {
        int found = Arrays.binarySearch(ends, position);
        return found >= 0 ? found : -found - 1;
    }

    private static boolean endsSentence(String text, int at) {
        return switch (text.charAt(at)) {
            case '\n', '\r' -> !isWrap(text, at);
            case '.' -> isFollowedBySpace(text, at) && !isAbbreviation(text, at);
            case '!', ';' -> isFollowedBySpace(text, at);
            default -> false;
        };
    }

    private static boolean isFollowedBySpace(String text, int at) {
        return at + 1 == text.length() || Character.isWhitespace(text.charAt(at + 1));
    }

    /** A common abbreviation before the full stop, or a single letter if the sentence continues in lower case: "H. pylori". */
    private static boolean isAbbreviation(String text, int at) {
        int lowest = Math.max(0, at - MAX_ABBREVIATION);
        int start = at;
        while (start > lowest && Character.isLetter(text.codePointBefore(start))) {
            start -= Character.charCount(text.codePointBefore(start));
        }
        if (at - start == 1) {
            return at + 2 < text.length() && Character.isLowerCase(text.charAt(at + 2));
        }
        return ABBREVIATIONS.contains(text.substring(start, at).toLowerCase(Locale.ROOT));
    }

    /** A long line that continues in lower case. */
    private static boolean isWrap(String text, int at) {
        int end = lineEnd(text, at);
        int next = text.startsWith("\r\n", end) ? end + 2 : end + 1;
        while (next < text.length() && (text.charAt(next) == ' ' || text.charAt(next) == '\t')) {
            next++;
        }
        return next < text.length()
                && Character.isLowerCase(text.charAt(next))
                && end - lineStart(text, end) >= MIN_WRAPPED_LINE;
    }

    /** The first position of the line that contains a position. */
    static int lineStart(String text, int at) {
        int lowest = Math.max(0, at - MAX_CONTEXT);
        int start = at;
        while (start > lowest && !isLineEnd(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    /** The position of the line end that contains a position; a carriage return and line feed are one line end. */
    static int lineEnd(String text, int at) {
        return at > 0 && text.startsWith("\r\n", at - 1) ? at - 1 : at;
    }

    private static boolean isLineEnd(char c) {
        return c == '\n' || c == '\r';
    }
}
