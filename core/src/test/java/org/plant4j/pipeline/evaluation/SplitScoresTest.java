package org.plant4j.pipeline.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.metric.LabelSet;
import org.plant4j.metric.Scores;
import org.plant4j.train.Loss;

class SplitScoresTest {

    /** Six labels, as in {@code LossTest}; the second document has a third label, which is not trained. */
    private static final SplitScores UNDECIDED = new SplitScores(
            List.of("a", "b"),
            Scores.of(new float[][] {{.5f, .5f, .5f, .5f, .5f, .5f}, {.5f, .5f, .5f, .5f, .5f, .5f}}),
            new LabelSet[] {LabelSet.of(0), LabelSet.of(0, 1, 9)});

    @Test
    void theLossEqualsTheTrainingLoss() {
        assertThat(UNDECIDED.loss(Loss.PLAIN, 6)).isCloseTo(6 * Math.log(2), within(1e-9));
        // 5 · 1 + 5 and 2 · 2 + 4 times ln 2, over 2 documents.
        assertThat(UNDECIDED.loss(Loss.BALANCED, 6)).isCloseTo(9 * Math.log(2), within(1e-9));
    }

    @Test
    void balancedLossWeightsPositivesOnly() {
        SplitScores scoring = new SplitScores(
                List.of("a", "b"),
                Scores.of(new float[][] {{.8f, .25f, .5f}, {.1f, .1f, .1f}}),
                new LabelSet[] {LabelSet.of(0), LabelSet.EMPTY});
        double negatives = -Math.log(.75) - Math.log(.5) - 3 * Math.log(.9);
        assertThat(scoring.loss(Loss.PLAIN, 3)).isCloseTo((-Math.log(.8) + negatives) / 2, within(1e-6));
        assertThat(scoring.loss(Loss.BALANCED, 3)).isCloseTo((-2 * Math.log(.8) + negatives) / 2, within(1e-6));
    }

    @Test
    void onlyTrainedLabelsCountInTheLoss() {
        assertThat(UNDECIDED.loss(Loss.PLAIN, 4)).isCloseTo(4 * Math.log(2), within(1e-9));
        assertThat(UNDECIDED.loss(Loss.PLAIN, 1)).isCloseTo(Math.log(2), within(1e-9));
        // 3 · 1 + 3 and 2 · 1 + 2 times ln 2, over 2 documents.
        assertThat(UNDECIDED.loss(Loss.BALANCED, 4)).isCloseTo(5 * Math.log(2), within(1e-9));
    }

    @Test
    void lossOfAConfidentMistakeIsFinite() {
        SplitScores scoring =
                new SplitScores(List.of("a"), Scores.of(new float[][] {{1}}), new LabelSet[] {LabelSet.EMPTY});
        assertThat(scoring.loss(Loss.PLAIN, 1)).isCloseTo(12 * Math.log(10), within(1e-9));
    }
}
