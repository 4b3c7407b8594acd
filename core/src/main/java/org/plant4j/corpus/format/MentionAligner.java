package org.plant4j.corpus.format;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.corpus.file.BadRowHandler;

/**
 * Converts the offsets of annotated mentions to UTF-16 code units. Annotation tools count code points, code points with
 * CRLF as one character (Python's text mode), or UTF-16 code units (Java and JavaScript). The unit under which most
 * mentions of a document match its text is chosen, so that neither emoji nor converted line ends shift gold spans.
 */
final class MentionAligner {

    private enum OffsetUnit {
        CODE_POINTS,
        CODE_POINTS_LF,
        UTF_16
    }

    private MentionAligner() {}

    /**
     * The evidence of a document.
     *
     * @param mismatches how many mentions differ from the text at their offsets
     */
    record Aligned(List<GoldEvidence> evidence, int mismatches) {}

    /** A mention outside the text is a bad row. Corpora have mentions with small differences, so these keep their offsets. */
    static Aligned align(String text, List<AnnotatedMention> mentions, BadRowHandler badRows) {
        int[] positions = bestPositions(text, mentions);
        List<GoldEvidence> evidence = new ArrayList<>();
        int mismatches = 0;
        for (AnnotatedMention mention : mentions) {
            List<Span> spans = spans(mention, positions);
            if (spans.isEmpty()) {
                badRows.report(new UserError(
                        "An annotation is outside the text",
                        mention.where(),
                        "check that text and annotations belong together"));
            } else {
                evidence.add(new GoldEvidence(mention.code(), spans));
                mismatches += matches(text, spans, mention.text()) ? 0 : 1;
            }
        }
        return new Aligned(evidence, mismatches);
    }

    private static int[] bestPositions(String text, List<AnnotatedMention> mentions) {
        int[] best = positions(text, OffsetUnit.CODE_POINTS);
        boolean unitsAgree = best.length > text.length() && text.indexOf('\r') < 0;
        if (unitsAgree) {
            return best;
        }
        int mostMatches = countMatches(text, mentions, best);
        for (OffsetUnit unit : List.of(OffsetUnit.CODE_POINTS_LF, OffsetUnit.UTF_16)) {
            int[] candidate = positions(text, unit);
            int matches = countMatches(text, mentions, candidate);
            if (matches > mostMatches) {
                mostMatches = matches;
                best = candidate;
            }
        }
        return best;
    }

    private static int countMatches(String text, List<AnnotatedMention> mentions, int[] positions) {
        int count = 0;
        for (AnnotatedMention mention : mentions) {
            List<Span> spans = spans(mention, positions);
            count += !spans.isEmpty() && matches(text, spans, mention.text()) ? 1 : 0;
        }
        return count;
    }

    /** Whether the text of the spans, joined by spaces as annotation tools do, equals the mention up to white space. */
    static boolean matches(String text, List<Span> spans, String mention) {
        String covered = spans.stream()
                .map(span -> text.substring(span.start(), span.end()))
                .collect(Collectors.joining(" "));
        return collapseSpaces(covered).equals(collapseSpaces(mention));
    }

    private static String collapseSpaces(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** The spans of a mention in UTF-16 code units; none if it is outside the text. */
    private static List<Span> spans(AnnotatedMention mention, int[] positions) {
        List<Span> spans = new ArrayList<>();
        for (Span offsets : mention.offsets()) {
            if (offsets.end() >= positions.length) {
                return List.of();
            }
            spans.add(new Span(positions[offsets.start()], positions[offsets.end()]));
        }
        return spans;
    }

    /** The UTF-16 index of each counted character, followed by the length of the text. */
    private static int[] positions(String text, OffsetUnit unit) {
        int[] positions = new int[text.length() + 1];
        int count = 0;
        int index = 0;
        while (index < text.length()) {
            positions[count++] = index;
            boolean crlf = text.charAt(index) == '\r' && text.startsWith("\n", index + 1);
            index += switch (unit) {
                case UTF_16 -> 1;
                case CODE_POINTS -> Character.charCount(text.codePointAt(index));
                case CODE_POINTS_LF -> crlf ? 2 : Character.charCount(text.codePointAt(index));
            };
        }
        positions[count++] = text.length();
        return Arrays.copyOf(positions, count);
    }
}
