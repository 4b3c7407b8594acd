package org.plant4j.context;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.Span;

/** Finds the sentence around a span: up to a full stop, a semicolon or the end of a line that is not wrapped. */
final class Sentences {

    /** A sentence extends at most this many characters to either side of a span. */
    private static final int MAX_CONTEXT = 400;

    /** The least length of a line that may continue on the next one. */
    private static final int MIN_WRAPPED_LINE = 50;

    private static final Pattern LAST_WORD = Pattern.compile("(\\p{L}+)$");
    private static final Set<String> ABBREVIATIONS = Set.of(
            "dr", "dra", "drs", "sr", "sra", "mr", "mrs", "ms", "vs", "pt", "st", "fig", "approx", "aprox", "etc");

    private Sentences() {}

    static Span around(String text, Span span) {
        int start = span.start();
        int lowest = Math.max(0, start - MAX_CONTEXT);
        while (start > lowest && !endsSentence(text, start - 1)) {
            start--;
        }
        int end = span.end();
        int highest = Math.min(text.length(), end + MAX_CONTEXT);
        while (end < highest && !endsSentence(text, end)) {
            end++;
        }
        return new Span(start, end);
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
        Matcher word = LAST_WORD.matcher(text).region(Math.max(0, at - 12), at);
        if (!word.find()) {
            return false;
        }
        boolean lowerNext = at + 2 < text.length() && Character.isLowerCase(text.charAt(at + 2));
        return word.group(1).length() == 1
                ? lowerNext
                : ABBREVIATIONS.contains(word.group(1).toLowerCase(Locale.ROOT));
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
