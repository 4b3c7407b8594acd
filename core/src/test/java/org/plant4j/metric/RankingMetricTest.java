package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RankingMetricTest {

    private static final Offset<Double> EXACT = within(1e-12);

    /** Ranking: 2, 0, 3, 1, 4. Gold labels have ranks 1 and 4; label 9 is outside the label space. */
    private static final float[] SCORES = {0.8f, 0.3f, 0.9f, 0.5f, 0.1f};

    private static final LabelSet GOLD = LabelSet.of(1, 2);
    private static final LabelSet GOLD_WITH_UNSEEN = LabelSet.of(1, 2, 9);

    @Test
    void precisionIsTheShareOfGoldLabelsInTheTopK() {
        assertThat(new PrecisionAtK(1).compute(SCORES, GOLD)).isEqualTo(1);
        assertThat(new PrecisionAtK(3).compute(SCORES, GOLD)).isEqualTo(1 / 3.0, EXACT);
        assertThat(new PrecisionAtK(10).compute(SCORES, GOLD))
                .isEqualTo(0.2, EXACT); // divided by k, even with fewer labels
    }

    @Test
    void recallCountsGoldLabelsOutsideTheLabelSpace() {
        assertThat(new RecallAtK(4).compute(SCORES, GOLD)).isEqualTo(1);
        assertThat(new RecallAtK(4).compute(SCORES, GOLD_WITH_UNSEEN)).isEqualTo(2 / 3.0, EXACT);
    }

    @Test
    void averagePrecisionIsTheMeanPrecisionAtTheHits() {
        assertThat(new AveragePrecision().compute(SCORES, GOLD)).isEqualTo((1 / 1.0 + 2 / 4.0) / 2, EXACT);
        assertThat(new AveragePrecision().compute(SCORES, GOLD_WITH_UNSEEN)).isEqualTo((1 / 1.0 + 2 / 4.0) / 3, EXACT);
    }

    @Test
    void gainIsDiscountedByTheLogarithmOfTheRank() {
        double log2of5 = Math.log(5) / Math.log(2);
        double log2of3 = Math.log(3) / Math.log(2);

        assertThat(new NdcgAtK(5).compute(SCORES, GOLD)).isEqualTo((1 + 1 / log2of5) / (1 + 1 / log2of3), EXACT);
        assertThat(new NdcgAtK(3).compute(SCORES, GOLD_WITH_UNSEEN)).isEqualTo(1 / (1 + 1 / log2of3 + 0.5), EXACT);
        assertThat(new NdcgAtK(1).compute(SCORES, GOLD)).isEqualTo(1, EXACT);
    }

    @Test
    void rPrecisionUsesTheNumberOfGoldLabelsAsCutoff() {
        assertThat(new RPrecision().compute(SCORES, GOLD)).isEqualTo(0.5, EXACT);
        assertThat(new RPrecision().compute(SCORES, LabelSet.of(0, 2))).isEqualTo(1, EXACT);
    }

    @Test
    void tiesGoToTheLowerLabelIndex() {
        float[] tied = {0.5f, 0.5f, 0.5f};

        assertThat(new AveragePrecision().compute(tied, LabelSet.of(0))).isEqualTo(1);
        assertThat(new AveragePrecision().compute(tied, LabelSet.of(2))).isEqualTo(1 / 3.0, EXACT);
    }

    @Test
    void documentsWithoutGoldLabelsAreExcludedFromTheMean() {
        float[][] scores = {SCORES, SCORES};
        LabelSet[] gold = {GOLD, LabelSet.EMPTY};

        assertThat(new AveragePrecision().mean(Scores.of(scores), gold)).isEqualTo(0.75, EXACT);
        assertThat(new AveragePrecision().mean(Scores.of(scores), new LabelSet[] {LabelSet.EMPTY, LabelSet.EMPTY}))
                .isZero();
    }

    @Test
    void aCutoffOfZeroIsRejected() {
        assertThatThrownBy(() -> new PrecisionAtK(0)).hasMessage("k: 0 (expected: >= 1)");
    }

    @Test
    void hitsOnRareLabelsWeighMore() {
        // N = 100 documents: C = (ln 100 - 1) * 2.5^0.55; 1 / p = 1 + C (n + 1.5)^-0.55
        double c = (Math.log(100) - 1) * Math.pow(2.5, 0.55);
        double common = 1 + c * Math.pow(51.5, -0.55);
        double rare = 1 + c * Math.pow(2.5, -0.55);
        Propensity propensity = new Propensity(100, new int[] {50, 1});
        GoldRanks onlyCommonFound = GoldRanks.of(new float[] {0.9f, 0.1f}, LabelSet.of(0, 1));

        assertThat(propensity.inversePropensity(1)).isEqualTo(rare, EXACT);
        assertThat(propensity.precisionAt(1, new GoldRanks[] {onlyCommonFound}).value())
                .isEqualTo(common / rare, EXACT);
        assertThat(propensity.precisionAt(2, new GoldRanks[] {onlyCommonFound}).value())
                .isEqualTo(1, EXACT);
    }
}
