package org.plant4j.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AurocTest {

    @Test
    void itIsTheShareOfPairsInTheRightOrder() {
        // 3 beats all three, 1 beats one and ties with one: (3 + 1.5) / 6
        assertThat(Auroc.of(new double[] {3, 1}, new double[] {0, 1, 2})).isCloseTo(0.75, within(1e-12));
    }

    @Test
    void infiniteScoresAreOrdered() {
        double low = Double.NEGATIVE_INFINITY;
        assertThat(Auroc.of(new double[] {0}, new double[] {low, low})).isEqualTo(1);
        assertThat(Auroc.of(new double[] {low}, new double[] {low})).isEqualTo(0.5);
    }

    @Test
    void withoutTextsItIsUndefined() {
        assertThat(Auroc.of(new double[0], new double[] {1})).isNaN();
    }
}
