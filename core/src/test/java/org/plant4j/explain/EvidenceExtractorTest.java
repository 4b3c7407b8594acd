package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.text.TokenizedText;

class EvidenceExtractorTest {

    /** One-letter tokens: token t starts at 2t. */
    private static TokenizedText letters(int count) {
        return new TokenizedText(
                IntStream.range(0, count).mapToObj(t -> "w").toList(),
                IntStream.range(0, count)
                        .mapToObj(t -> new Span(2 * t, 2 * t + 1))
                        .toList());
    }

    private static String text(int count) {
        return "w ".repeat(count);
    }

    private static final float[] WEIGHTS = {0.05f, 0.4f, 0.05f, 0.3f, 0, 0.2f};

    private static List<Span> spans(EvidenceExtractor rule, float... weights) {
        return rule.extract(weights, letters(weights.length), text(weights.length)).stream()
                .map(Evidence::span)
                .toList();
    }

    @Test
    void tokensAreSelectedByWeightUntilTheyHoldTheMass() {
        EvidenceExtractor apart = new EvidenceExtractor(0.6, 15, 0, 0);
        assertThat(spans(apart, WEIGHTS)).containsExactly(new Span(2, 3), new Span(6, 7));
        assertThat(apart.extract(WEIGHTS, letters(6), text(6)))
                .extracting(Evidence::weight)
                .satisfiesExactly(
                        w -> assertThat(w).isCloseTo(0.4, within(1e-6)),
                        w -> assertThat(w).isCloseTo(0.3, within(1e-6)));
    }

    @Test
    void nearbyTokensAreJoinedIncludingTheGap() {
        List<Evidence> joined = new EvidenceExtractor(0.6, 15, 0, 1).extract(WEIGHTS, letters(6), text(6));
        assertThat(joined).hasSize(1);
        assertThat(joined.get(0).span()).isEqualTo(new Span(2, 7));
        assertThat(joined.get(0).weight()).isCloseTo(0.4 + 0.05 + 0.3, within(1e-6));
        assertThat(spans(new EvidenceExtractor(1, 15, 0, 1), 0.5f, 0, 0, 0.5f))
                .as("a gap of two is too wide")
                .hasSize(2);
        assertThat(spans(new EvidenceExtractor(1, 15, 0, 1), 0.25f, 0, 0.25f, 0, 0.5f))
                .as("joining continues from the last selected token")
                .containsExactly(new Span(0, 9));
    }

    @Test
    void subwordsAreExpandedToWholeWordsWithoutPunctuation() {
        TokenizedText tokens = new TokenizedText(
                List.of("neo", "##plas", "##ia", ".", "de", "fie", "##bre"),
                List.of(
                        new Span(0, 3),
                        new Span(3, 7),
                        new Span(7, 9),
                        new Span(9, 10),
                        new Span(11, 13),
                        new Span(14, 17),
                        new Span(17, 20)));
        List<Evidence> spans = new EvidenceExtractor(0.9, 2, 0, 0)
                .extract(new float[] {0, 0.6f, 0, 0.1f, 0, 0, 0.3f}, tokens, "neoplasia. de fiebre");
        assertThat(spans).extracting(Evidence::span).containsExactly(new Span(0, 9), new Span(14, 20));
        assertThat(spans).extracting(Evidence::text).containsExactly("neoplasia", "fiebre");
    }

    @Test
    void spansAreSortedByWeightThenPosition() {
        EvidenceExtractor all = new EvidenceExtractor(1, 15, 0, 0);
        assertThat(spans(all, 0.2f, 0, 0.6f, 0, 0.2f)).containsExactly(new Span(4, 5), new Span(0, 1), new Span(8, 9));
    }

    @Test
    void selectionRespectsMaximumTokensAndMinimumWeight() {
        assertThat(spans(new EvidenceExtractor(1, 2, 0, 0), 0.3f, 0, 0.3f, 0, 0.4f))
                .containsExactly(new Span(8, 9), new Span(0, 1));
        assertThat(spans(new EvidenceExtractor(1, 15, 0.5, 0), 0.6f, 0, 0.29f)).containsExactly(new Span(0, 1));
    }

    @Test
    void roundingDoesNotSelectAnExtraToken() {
        float[] tenths = new float[10];
        Arrays.fill(tenths, 0.1f);
        assertThat(spans(new EvidenceExtractor(0.6, 15, 0, 0), tenths)).containsExactly(new Span(0, 11));
    }

    @Test
    void zeroWeightsHaveNoSpans() {
        assertThat(spans(EvidenceExtractor.standard(), 0, 0, 0)).isEmpty();
        assertThat(spans(EvidenceExtractor.standard())).isEmpty();
    }

    @Test
    void invalidWeightsAndSettingsAreRejected() {
        assertThatThrownBy(() -> spans(EvidenceExtractor.standard(), 0.5f, Float.NaN))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> spans(EvidenceExtractor.standard(), -0.1f))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> EvidenceExtractor.standard().extract(new float[2], letters(3), text(3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("weights: 2 (expected: one per token, 3)");
        assertThatThrownBy(() -> new EvidenceExtractor(0, 1, 0, 0)).hasMessageStartingWith("mass: 0.0");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 0, 0, 0)).hasMessageStartingWith("maxTokens: 0");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 1, 2, 0)).hasMessageStartingWith("minRelativeWeight: 2.0");
        assertThatThrownBy(() -> new EvidenceExtractor(1, 1, 0, -1)).hasMessageStartingWith("maxGap: -1");
    }
}
