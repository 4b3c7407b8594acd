package org.plant4j.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.support.UserError;

/** A code's mention as an annotation tool wrote it: offsets in the tool's own counting, and the text it saw there. */
public record AnnotatedMention(String code, List<Span> offsets, String text, String where) {

    private static final Pattern OFFSETS = Pattern.compile("(\\d{1,9}) (\\d{1,9})");

    /** Reads {@code 2787 2801;2810 2823}; empty stretches, of which CodiEsp has one, are dropped. */
    public static List<Span> parseOffsets(String written, String where) {
        List<Span> spans = new ArrayList<>();
        for (String stretch : written.split(";", -1)) {
            Matcher matcher = OFFSETS.matcher(stretch.strip());
            int start = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
            int end = start < 0 ? -1 : Integer.parseInt(matcher.group(2));
            if (start < 0 || end < start) {
                throw new UserError("Offsets cannot be read", where, "write them as: start end;start end");
            }
            if (end > start) {
                spans.add(new Span(start, end));
            }
        }
        return spans;
    }
}
