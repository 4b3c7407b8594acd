package org.plant4j.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.Span;
import org.plant4j.text.TokenizedText;

class PlausibilityTest {

    private static final TokenizedText TOKENS = new TokenizedText(
            List.of("acute", "heart", "failure", "today"),
            List.of(new Span(0, 5), new Span(6, 11), new Span(12, 19), new Span(20, 25)));

    private static Plausibility of(float[] weights, List<Span> shown, Span... gold) {
        return Plausibility.of(TOKENS, weights, shown, List.of(gold)).orElseThrow();
    }

    @Test
    void selectedTokensAreComparedWithGoldTokens() {
        // Selected: acute, heart. Gold: heart, failure; the latter overlaps by one character.
        Plausibility p = of(new float[] {0.5f, 0.3f, 0.2f, 0}, List.of(new Span(0, 11)), new Span(6, 13));
        assertThat(p.precision()).isEqualTo(0.5);
        assertThat(p.recall()).isEqualTo(0.5);
        assertThat(p.f1()).isEqualTo(0.5);
        assertThat(p.iou()).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(p.auprc()).isCloseTo(0.5 * 1 / 2 + 0.5 * 2 / 3, within(1e-12));
        assertThat(p.pairs()).isEqualTo(1);
    }

    @Test
    void equalWeightsShareAPointOfTheCurve() {
        // average_precision_score([1, 0, 1, 0], [.5, .3, .1, .1]) = 0.75
        boolean[] gold = {true, false, true, false};
        assertThat(Plausibility.of(gold, new float[] {0.5f, 0.3f, 0.1f, 0.1f}, gold)
                        .orElseThrow()
                        .auprc())
                .isCloseTo(0.75, within(1e-12));
        // average_precision_score([0, 1, 1, 0, 1, 0, 0], [.30, .30, .15, .10, .05, .05, .05]) = 0.5317460317460317
        boolean[] more = {false, true, true, false, true, false, false};
        float[] weights = {0.30f, 0.30f, 0.15f, 0.10f, 0.05f, 0.05f, 0.05f};
        assertThat(Plausibility.of(more, weights, more).orElseThrow().auprc())
                .isCloseTo((1.0 / 2 + 2.0 / 3 + 3.0 / 7) / 3, within(1e-12));
    }

    @Test
    void withoutSpansScoresAreZero() {
        Plausibility p = of(new float[] {0.25f, 0.25f, 0.25f, 0.25f}, List.of(), new Span(0, 5));
        assertThat(List.of(p.precision(), p.recall(), p.f1(), p.iou())).containsOnly(0.0);
        assertThat(p.auprc()).isEqualTo(0.25);
    }

    @Test
    void goldSpansWithoutTokensAreSkipped() {
        assertThat(Plausibility.of(TOKENS, new float[4], List.of(), List.of(new Span(5, 6))))
                .isEmpty();
        assertThat(Plausibility.of(TOKENS, new float[4], List.of(), List.of())).isEmpty();
    }

    @Test
    void theMeanWeighsPairsEqually() {
        Plausibility one = new Plausibility(1, 1, 1, 1, 1, 1);
        Plausibility none = new Plausibility(0, 0, 0, 0, 0.5, 1);
        Plausibility two = Plausibility.mean(List.of(one, none));
        assertThat(two).isEqualTo(new Plausibility(0.5, 0.5, 0.5, 0.5, 0.75, 2));
        assertThat(Plausibility.mean(List.of(two, one)).f1()).isCloseTo(2.0 / 3, within(1e-12));
        assertThat(Plausibility.mean(List.of()).f1()).isNaN();
    }
}
