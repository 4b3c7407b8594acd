package org.plant4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class SpeedRatioTest {

    /** Ratios 2 and 8: geometric mean 4; logarithms ln 4 ± ln 2, standard error ln 2, t = 12.706 with one degree of freedom. */
    @Test
    void isTheGeometricMeanWithStudentsInterval() {
        SpeedRatio ratio = SpeedRatio.of(new double[] {4, 8}, new double[] {2, 1});
        assertThat(ratio.mean()).isCloseTo(4, within(1e-9));
        assertThat(ratio.high()).isCloseTo(4 * Math.pow(2, 12.706), within(1e-6 * ratio.high()));
        assertThat(ratio.low()).isCloseTo(4 / Math.pow(2, 12.706), within(1e-9));
    }

    @Test
    void hasNoBoundsAfterOneTurn() {
        SpeedRatio ratio = SpeedRatio.of(new double[] {6}, new double[] {2});
        assertThat(ratio.mean()).isCloseTo(3, within(1e-9));
        assertThat(ratio.low()).isZero();
        assertThat(ratio.high()).isInfinite();
    }

    @Test
    void readsTheMediansOfATable() {
        String output = """
                optimized, 1 documents x 72 tokens, 20 labels, vocabulary 300, cpu, float32
                PLANT                             median ms  best ms
                ────────────────────────────────────────────────────
                prediction, 1 document             4,035.33  3,848.74
                the same, encoded twice               12.50  11.00
                """;
        assertThat(BuildRun.parse(output))
                .isEqualTo(Map.of("prediction, 1 document", 4035.33, "the same, encoded twice", 12.5));
    }
}
