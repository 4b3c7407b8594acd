package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.plant4j.Thresholds;

class ThresholdTunerTest {

    private static final Scores SCORES = Scores.of(new float[][] {{0.9f, 0.2f}, {0.4f, 0.3f}, {0.6f, 0.1f}});
    private static final LabelSet[] GOLD = {LabelSet.of(0), LabelSet.of(0, 1), LabelSet.EMPTY};

    @Test
    void tuningMaximizesMicroF1() {
        // from 0.9: 2·1/(1+3); from 0.4: 2·2/(3+3); from 0.3: 2·3/(4+3), the best
        assertThat(ThresholdTuner.tune(SCORES, GOLD)).isEqualTo(Thresholds.global(0.3f));
    }

    @Test
    void goldLabelsOutsideTheLabelSpaceAffectTheThreshold() {
        Scores scores = Scores.of(new float[][] {{0.9f, 0.8f, 0.7f, 0.6f, 0.5f}});
        // without them 2·1/(1+2) against 2·2/(5+2); with four more 2·1/(1+6) against 2·2/(5+6)
        assertThat(ThresholdTuner.tune(scores, new LabelSet[] {LabelSet.of(0, 4)})
                        .global())
                .isEqualTo(0.9f);
        assertThat(ThresholdTuner.tune(scores, new LabelSet[] {LabelSet.of(0, 4, 5, 6, 7, 8)})
                        .global())
                .isEqualTo(0.5f);
    }

    @Test
    void tiesGoToTheHighestThreshold() {
        // 2·1/(1+2) = 2·2/(4+2)
        Scores scores = Scores.of(new float[][] {{0.9f, 0.8f, 0.7f, 0.6f}});
        assertThat(ThresholdTuner.tune(scores, new LabelSet[] {LabelSet.of(0, 3)})
                        .global())
                .isEqualTo(0.9f);
    }

    @Test
    void labelsWithTooFewDocumentsUseTheCommonThreshold() {
        Thresholds thresholds = ThresholdTuner.tunePerLabel(SCORES, GOLD, 2);

        assertThat(thresholds.threshold(0)).isEqualTo(0.4f); // 2·2/(3+2) against 2·1/(1+2)
        assertThat(thresholds.threshold(1)).isEqualTo(thresholds.global()).isEqualTo(0.3f);
    }

    @Test
    void aScoreAtTheThresholdIsPredicted() {
        assertThat(LabelSet.predicted(new float[] {0.3f, 0.29f, 0.31f}, Thresholds.global(0.3f)))
                .isEqualTo(LabelSet.of(0, 2));
        assertThat(LabelSet.predicted(new float[] {0.8f, 0.2f}, new Thresholds(0.5f, new float[] {0.9f, 0.1f})))
                .isEqualTo(LabelSet.of(1));
    }

    @Test
    void scoresOfAnotherLabelSpaceAreRejected() {
        assertThatThrownBy(() -> LabelSet.predicted(new float[3], new Thresholds(0.5f, new float[2])))
                .hasMessage("scores: 3 (expected: 2)");
    }

    @Test
    void withoutGoldLabelsTheThresholdIsOneHalf() {
        assertThat(ThresholdTuner.tune(SCORES, new LabelSet[] {LabelSet.EMPTY, LabelSet.EMPTY, LabelSet.EMPTY}))
                .isEqualTo(Thresholds.global(0.5f));
    }

    @Test
    void thresholdsRoundTripThroughJsonExactly() throws IOException {
        ObjectMapper json = new ObjectMapper();
        Thresholds thresholds = new Thresholds(0.1f + 1e-8f, new float[] {1 / 3f, 1e-20f, 0.99999994f});

        assertThat(json.readValue(json.writeValueAsString(thresholds), Thresholds.class))
                .isEqualTo(thresholds);
    }
}
