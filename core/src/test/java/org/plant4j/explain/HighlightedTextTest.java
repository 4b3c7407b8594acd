package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.report.Html;
import org.plant4j.report.MarkupAssertions;
import org.plant4j.report.TerminalText;

class HighlightedTextTest {

    private static final String TEXT = """
            HISTORY

            Known heart failure. No fever. No chills. Lives alone.
            LABS:  Na 134
            COURSE
            Kidney injury resolved.
            """.replace("\n", "\r\n");

    private static Evidence evidence(String text, String phrase, double weight) {
        int start = text.indexOf(phrase);
        return new Evidence(new Span(start, start + phrase.length()), phrase, weight);
    }

    private static HighlightedText highlight(String text, String... phrases) {
        return new HighlightedText(
                text,
                Arrays.stream(phrases)
                        .map(phrase -> evidence(text, phrase, 0.5))
                        .toList());
    }

    @Test
    void theWholeTextKeepsLinesAndBlanks() {
        assertThat(highlight(TEXT, "heart failure").toTerminal(TerminalStyle.wholeDocument(80, false)))
                .isEqualTo("""
                HISTORY

                Known «heart failure». No fever. No chills. Lives alone.
                LABS:  Na 134
                COURSE
                Kidney injury resolved.
                """);
    }

    @Test
    void linesWrapAtTheWidthAndHighlightsCloseAtLineEnds() {
        assertThat(highlight("aaaa bbbb cccc dddd eeee ffff", "cccc dddd eeee")
                        .toTerminal(TerminalStyle.wholeDocument(20, false)))
                .isEqualTo("aaaa bbbb «cccc»\n«dddd eeee» ffff\n");
        assertThat(highlight("aaaa bbbbbb ccccccc", "bbbbbb").toTerminal(TerminalStyle.wholeDocument(20, false)))
                .as("the closing quote takes a column, so the last word moves to the next line")
                .isEqualTo("aaaa «bbbbbb»\nccccccc\n");
        assertThat(highlight("x".repeat(45), "xx")
                        .toTerminal(TerminalStyle.wholeDocument(20, true))
                        .lines())
                .as("words longer than the line are split")
                .hasSize(3);
    }

    @Test
    void contextIsLimitedToSentencesAroundEvidence() {
        HighlightedText highlight = highlight(TEXT, "heart failure", "injury");
        assertThat(highlight.toTerminal(TerminalStyle.evidenceSentences(80, false, 0)))
                .isEqualTo("… Known «heart failure».\n… Kidney «injury» resolved.\n");
        assertThat(highlight.toTerminal(TerminalStyle.evidenceSentences(80, false, 1)))
                .isEqualTo("""
                HISTORY
                Known «heart failure». No fever.
                … COURSE
                Kidney «injury» resolved.
                """);
        assertThat(highlight(TEXT, "chills").toTerminal(TerminalStyle.evidenceSentences(80, false, 0)))
                .isEqualTo("… No «chills». …\n");
        assertThat(highlight(TEXT).toTerminal(TerminalStyle.evidenceSentences(80, false, 0)))
                .isEqualTo("…\n");
    }

    @Test
    void strongerEvidenceHasADarkerBackground() {
        String text = "weak strong";
        HighlightedText highlight =
                new HighlightedText(text, List.of(evidence(text, "weak", 0.1), evidence(text, "strong", 0.8)));
        assertThat(highlight.toTerminal(TerminalStyle.wholeDocument(80, true)))
                .isEqualTo("\u001b[48;5;230;38;5;16mweak\u001b[0m \u001b[48;5;214;38;5;16mstrong\u001b[0m\n");
    }

    @Test
    void controlCharactersAreReplaced() {
        String text = "a\u001b[2Jb \u009b31m \u202ec";
        assertThat(highlight(text, "b").toTerminal(TerminalStyle.wholeDocument(80, false)))
                .isEqualTo("a\ufffd[2J«b» \ufffd31m \ufffdc\n");
    }

    @Test
    void codePointsAreNeverSplit() {
        String text = "a 😀 b";
        HighlightedText half = new HighlightedText(text, List.of(new Evidence(new Span(3, 5), "", 1)));
        assertThat(half.toTerminal(TerminalStyle.wholeDocument(80, false))).isEqualTo("a «😀 »b\n");
        assertThat(half.toHtml()).contains(">😀 </mark>b");
    }

    @Test
    void emptyAndBlankTextsAreAllowed() {
        assertThat(highlight("").toTerminal(TerminalStyle.wholeDocument(80, true)))
                .isEqualTo("\n");
        assertThat(highlight(" \r\n ").toTerminal(TerminalStyle.evidenceSentences(80, true, 0)))
                .isEqualTo("\n");
        MarkupAssertions.assertBalanced(highlight("").toHtml());
    }

    @Test
    void htmlHighlightsByWeightAndEscapesText() {
        String text = "x < y <script>alert(1)</script>\r\n& z";
        HighlightedText highlight =
                new HighlightedText(text, List.of(evidence(text, "script", 0.2), evidence(text, "& z", 0.4)));
        assertThat(highlight.toHtml())
                .isEqualTo(
                        "<div class=\"document\" style=\"white-space:pre-wrap;overflow-wrap:anywhere\">"
                                + "x &lt; y &lt;<mark title=\"weight 20.0 %\""
                                + " style=\"color:inherit;border-radius:.2em;background:rgba(var(--mark,224,148,20),0.45)\">script</mark>"
                                + "&gt;alert(1)&lt;/script&gt;\r\n<mark title=\"weight 40.0 %\""
                                + " style=\"color:inherit;border-radius:.2em;background:rgba(var(--mark,224,148,20),0.75)\">&amp; z</mark></div>");
        MarkupAssertions.assertBalanced(highlight.toHtml());
    }

    @Test
    void overlappingSpansUseTheLargestWeight() {
        HighlightedText highlight = new HighlightedText(
                "abcdef",
                List.of(new Evidence(new Span(0, 4), "abcd", 0.1), new Evidence(new Span(2, 6), "cdef", 0.2)));
        assertThat(highlight.fragments())
                .containsExactly(
                        new HighlightedText.Fragment(0, 2, 0.1, 0.5),
                        new HighlightedText.Fragment(2, 4, 0.2, 1),
                        new HighlightedText.Fragment(4, 6, 0.2, 1));
    }

    @Test
    void spansBeyondTheTextAreRejectedWithoutQuotingIt() {
        assertThatThrownBy(() -> new HighlightedText("secret", List.of(new Evidence(new Span(0, 7), "secret", 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("end of span: 7")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> TerminalStyle.wholeDocument(5, true)).hasMessageStartingWith("width: 5");
    }

    @Test
    void renderingPreservesTextAndLineWidth() {
        String[] parts = {
            "a", "bc", "word", " ", "  ", ". ", "\r\n", "\n\n", "\t", "e\u0301", "😀", "心", "x".repeat(30), "<b>"
        };
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            String text = IntStream.range(0, random.nextInt(60))
                    .mapToObj(i -> parts[random.nextInt(parts.length)])
                    .collect(Collectors.joining());
            List<Evidence> spans = IntStream.range(0, random.nextInt(6))
                    .mapToObj(i -> {
                        int start = random.nextInt(text.length() + 1);
                        int end = start + random.nextInt(text.length() + 1 - start);
                        return new Evidence(new Span(start, end), "", random.nextDouble());
                    })
                    .toList();
            HighlightedText highlight = new HighlightedText(text, spans);
            String shown =
                    highlight.toTerminal(TerminalStyle.wholeDocument(24, true)).replaceAll("\u001b\\[[0-9;]*m", "");
            assertThat(shown.lines()).as("seed " + seed).allMatch(line -> TerminalText.width(line) <= 24);
            assertThat(shown.replaceAll("\\s", "")).as("seed " + seed).isEqualTo(text.replaceAll("\\s", ""));
            assertThat(highlight.toHtml().replaceAll("<[^>]*>", ""))
                    .as("seed " + seed)
                    .isEqualTo(Html.escape(text));
            highlight.toTerminal(TerminalStyle.evidenceSentences(24, false, 1));
        }
    }
}
