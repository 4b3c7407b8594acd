package org.plant4j.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.plant4j.support.UserError;

/**
 * Puts annotated mentions into UTF-16 units. Tools count code points, or code points with CRLF as one (Python's text
 * mode), or UTF-16 units (Java and JavaScript tools); the counting that finds most of a document's mentions is taken, so
 * that neither emoji nor changed line ends shift the gold spans.
 */
public final class MentionAligner {

    private enum OffsetUnit {
        CODE_POINTS,
        CODE_POINTS_LF,
        UTF_16
    }

    private MentionAligner() {}

    /** One evidence a mention; a mention outside the text is a bad row. */
    public static List<GoldEvidence> align(String text, List<AnnotatedMention> mentions, BadRowHandler badRows) {
        int[] positions = positions(text, OffsetUnit.CODE_POINTS);
        if (positions.length <= text.length() || text.indexOf('\r') >= 0) {
            int most = found(text, mentions, positions);
            for (OffsetUnit other : List.of(OffsetUnit.CODE_POINTS_LF, OffsetUnit.UTF_16)) {
                int[] tried = positions(text, other);
                int found = found(text, mentions, tried);
                if (found > most) {
                    most = found;
                    positions = tried;
                }
            }
        }
        List<GoldEvidence> evidence = new ArrayList<>();
        for (AnnotatedMention mention : mentions) {
            List<Span> spans = spans(mention, positions);
            if (spans.isEmpty()) {
                badRows.report(new UserError(
                        "An annotation lies outside the text",
                        mention.where(),
                        "check that text and annotation belong together"));
            } else {
                evidence.add(new GoldEvidence(mention.code(), spans));
            }
        }
        return evidence;
    }

    private static int found(String text, List<AnnotatedMention> mentions, int[] positions) {
        int found = 0;
        for (AnnotatedMention mention : mentions) {
            List<Span> spans = spans(mention, positions);
            found += !spans.isEmpty() && matches(text, spans, mention.text()) ? 1 : 0;
        }
        return found;
    }

    /** Whether the stretches, joined by blanks as tools join them, read as the mention does. */
    static boolean matches(String text, List<Span> spans, String mention) {
        String read = spans.stream()
                .map(span -> text.substring(span.start(), span.end()))
                .collect(Collectors.joining(" "));
        return read.replaceAll("\\s+", " ")
                .strip()
                .equals(mention.replaceAll("\\s+", " ").strip());
    }

    private static List<Span> spans(AnnotatedMention mention, int[] positions) {
        List<Span> spans = new ArrayList<>();
        for (Span counted : mention.offsets()) {
            if (counted.end() >= positions.length) {
                return List.of();
            }
            spans.add(new Span(positions[counted.start()], positions[counted.end()]));
        }
        return spans;
    }

    /** The UTF-16 index of every counted character, and the text's length after the last. */
    private static int[] positions(String text, OffsetUnit counting) {
        int[] positions = new int[text.length() + 1];
        int counted = 0;
        int index = 0;
        while (index < text.length()) {
            positions[counted++] = index;
            boolean lineEnd = text.charAt(index) == '\r' && text.startsWith("\n", index + 1);
            index += switch (counting) {
                case UTF_16 -> 1;
                case CODE_POINTS -> Character.charCount(text.codePointAt(index));
                case CODE_POINTS_LF -> lineEnd ? 2 : Character.charCount(text.codePointAt(index));
            };
        }
        positions[counted++] = text.length();
        return Arrays.copyOf(positions, counted);
    }
}
