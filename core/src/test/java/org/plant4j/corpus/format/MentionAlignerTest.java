package org.plant4j.corpus.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;
import org.plant4j.corpus.file.BadRowHandler;

class MentionAlignerTest {

    // Python: t = '😀 a\r\ntos\r\nfiebre'; t.index('tos'), t.index('fiebre') -> 5, 10
    // with t.replace('\r\n', '\n') -> 4, 8; in UTF-16 units -> 6, 11
    private static final String TEXT = "😀 a\r\ntos\r\nfiebre";

    @Test
    void codePointsBecomeUtf16CodeUnits() {
        assertThat(place(mention("tos", 5, 8), mention("fiebre", 10, 16))).containsExactly("6-9", "11-17");
    }

    @Test
    void crlfCountedAsOneIsDetectedByTheTextOfTheMention() {
        assertThat(place(mention("tos", 4, 7), mention("fiebre", 8, 14))).containsExactly("6-9", "11-17");
    }

    @Test
    void utf16CodeUnitsAreDetectedByTheTextOfTheMention() {
        assertThat(place(mention("tos", 6, 9), mention("fiebre", 11, 17))).containsExactly("6-9", "11-17");
    }

    @Test
    void aMentionAcrossLinesMatchesWithSpaces() {
        assertThat(place(mention("tos fiebre", 4, 14))).containsExactly("6-17");
    }

    @Test
    void aMentionWithAnotherTextKeepsItsOffsetsAndIsCounted() {
        List<AnnotatedMention> mentions = List.of(mention("R.T.U", 0, 6), mention("vesical", 7, 14));
        assertThat(MentionAligner.align("R.T.U. vesical", mentions, BadRowHandler.fail()))
                .isEqualTo(new MentionAligner.Aligned(
                        List.of(
                                new GoldEvidence("C", List.of(new Span(0, 6))),
                                new GoldEvidence("C", List.of(new Span(7, 14)))),
                        1));
    }

    private static AnnotatedMention mention(String text, int start, int end) {
        return new AnnotatedMention("C", List.of(new Span(start, end)), text, "a.ann:1");
    }

    private static List<String> place(AnnotatedMention... mentions) {
        return MentionAligner.align(TEXT, List.of(mentions), BadRowHandler.fail()).evidence().stream()
                .map(evidence -> evidence.spans().get(0).start() + "-"
                        + evidence.spans().get(0).end())
                .toList();
    }
}
