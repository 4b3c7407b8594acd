package org.plant4j.model.ensemble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.plant4j.model.linear.PairRegression;

public class MergeRegressionTest {

    /** The sigmoid of the sum of all members' scores: a regression without standardization whose other weights are 0. */
    public static MergeRegression sumOfScores(int members) {
        int features = 2 * members + 2;
        float[] lowest = new float[features];
        float[] highest = new float[features];
        Arrays.fill(lowest, -100);
        Arrays.fill(highest, 100);
        double[] weights = new double[features + features * (features + 1) / 2 + 1];
        IntStream.range(0, members).forEach(member -> weights[2 * member] = 1);
        double[] ones = new double[features];
        Arrays.fill(ones, 1);
        return new MergeRegression(new PairRegression(lowest, highest, new double[features], ones, weights));
    }

    @Test
    void featuresAreScoresLogitsAndTheFrequencyOfALabel() {
        assertThat(MergeRegression.features(new double[] {0.75, 0}, 0)).containsExactly(new float[] {
            0.75f, (float) Math.log(3), 0, (float) Math.log(1e-5 / (1 - 1e-5)), 0, 1
        });
        assertThat(MergeRegression.features(new double[] {1}, Math.log(2)))
                .containsExactly(
                        new float[] {1, (float) Math.log((1 - 1e-5) / 1e-5), (float) Math.log(2), 0}, within(1e-4f));
    }

    @Test
    void theNumberOfScoresIsThatOfMembers() {
        assertThat(sumOfScores(2).members()).isEqualTo(2);
        assertThat(sumOfScores(2).probability(new double[] {0.5, 0.9}, 0))
                .isCloseTo(1 / (1 + Math.exp(-1.4)), within(1e-6));
        assertThatThrownBy(() -> sumOfScores(2).probability(new double[] {0.5}, 0))
                .hasMessage("rankings: 1 (expected: 2)");
    }
}
