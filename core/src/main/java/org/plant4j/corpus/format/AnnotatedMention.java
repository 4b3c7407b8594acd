package org.plant4j.corpus.format;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.Span;
import org.plant4j.UserError;

/**
 * A mention of a code as an annotation file records it: offsets in the units of the annotation tool, the text at these
 * offsets, and the line of the file.
 */
record AnnotatedMention(String code, List<Span> offsets, String text, String where) {

    private static final Pattern OFFSETS = Pattern.compile("(\\d{1,9}) (\\d{1,9})");

    AnnotatedMention withCode(String newCode) {
        return new AnnotatedMention(newCode, offsets, text, where);
    }

    /** Parses {@code 2787 2801;2810 2823} and drops empty ranges, of which CodiEsp has one. */
    static List<Span> parseOffsets(String offsets, String where) {
        List<Span> spans = new ArrayList<>();
        for (String range : offsets.split(";", -1)) {
            Matcher matcher = OFFSETS.matcher(range.strip());
            int start = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
            int end = start < 0 ? -1 : Integer.parseInt(matcher.group(2));
            if (start < 0 || end < start) {
                throw new UserError("Invalid offsets", where, "write them as: start end;start end");
            }
            if (end > start) {
                spans.add(new Span(start, end));
            }
        }
        return spans;
    }
}
