package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.Curve;

class ThresholdSweepTest {

    @Test
    void tiesCountHalf() {
        // gold 0.8 and 0.5 against wrong 0.5 and 0.1: won, won, tied, won
        ThresholdSweep sweep = ThresholdSweep.micro(
                Scores.of(new float[][] {{0.8f, 0.5f, 0.5f, 0.1f}}), new LabelSet[] {LabelSet.of(0, 1)});

        assertThat(sweep.auc()).isEqualTo(3.5 / 4);
        assertThat(sweep.averagePrecision(2)).isEqualTo(0.5 * 1 + 0.5 * 2 / 3, within(1e-12));
        assertThat(sweep.averagePrecision(4)).isEqualTo(0.25 * 1 + 0.25 * 2 / 3, within(1e-12));
    }

    @Test
    void aucIsUndefinedForOneClass() {
        float[][] scores = {{0.8f, 0.5f}};

        assertThat(ThresholdSweep.micro(Scores.of(scores), new LabelSet[] {LabelSet.EMPTY})
                        .auc())
                .isNaN();
        assertThat(ThresholdSweep.micro(Scores.of(scores), new LabelSet[] {LabelSet.of(0, 1)})
                        .auc())
                .isNaN();
    }

    @Test
    void aucIsTheShareOfWonComparisons() {
        Random random = new Random(3);
        float[][] scores = new float[20][15];
        LabelSet[] gold = new LabelSet[20];
        for (int d = 0; d < 20; d++) {
            for (int l = 0; l < 15; l++) {
                scores[d][l] = random.nextInt(9) - 4; // ties, negative scores and zeros of both signs
                scores[d][l] = scores[d][l] == 0 && random.nextBoolean() ? -0f : scores[d][l];
            }
            gold[d] = LabelSet.of(random.ints(3, 0, 15).toArray());
        }
        double won = 0;
        long compared = 0;
        for (int i = 0; i < 300; i++) {
            for (int j = 0; j < 300; j++) {
                if (gold[i / 15].contains(i % 15) && !gold[j / 15].contains(j % 15)) {
                    float difference = scores[i / 15][i % 15] - scores[j / 15][j % 15];
                    won += difference > 0 ? 1 : difference == 0 ? 0.5 : 0;
                    compared++;
                }
            }
        }
        assertThat(ThresholdSweep.micro(Scores.of(scores), gold).auc()).isEqualTo(won / compared, within(1e-12));
    }

    @Test
    void theCurveIsThinnedButKeepsItsEnds() {
        float[][] scores = new float[1][1000];
        for (int l = 0; l < 1000; l++) {
            scores[0][l] = 1 - l / 1000f;
        }
        LabelSet everySecond =
                LabelSet.of(IntStream.range(0, 500).map(i -> 2 * i).toArray());

        Curve curve = ThresholdSweep.micro(Scores.of(scores), new LabelSet[] {everySecond})
                .precisionRecall(500, 50);

        assertThat(curve.x()).hasSizeBetween(45, 52).isSorted();
        assertThat(curve.x()[0]).isEqualTo(1 / 500.0);
        assertThat(curve.y()[0]).isEqualTo(1);
        assertThat(curve.x()[curve.x().length - 1]).isEqualTo(1);
        assertThat(curve.y()[curve.y().length - 1]).isEqualTo(500 / 999.0, within(1e-12));
    }
}
