package org.plant4j.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisTest {

    @Test
    void ticksAreRoundNumbers() {
        assertThat(Axis.fitting("", false, new double[] {0.13, 0.78}).rounded().ticks())
                .containsExactly(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8);
        assertThat(Axis.fitting("", false, new double[] {-3, 12}).rounded().ticks())
                .containsExactly(-4.0, -2.0, 0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0);
        assertThat(Axis.fitting("", false, new double[] {0, 48_000}).ticks())
                .containsExactly(0.0, 10_000.0, 20_000.0, 30_000.0, 40_000.0);
    }

    @Test
    void countsHaveTicksAtWholeNumbersOnly() {
        assertThat(Axis.fitting("", false, new double[] {1, 3}).wholeNumbers().ticks())
                .containsExactly(1.0, 2.0, 3.0);
    }

    @Test
    void logarithmicAxesHaveTicksAtPowersOfTenAndOnShortRangesAtTwoAndFive() {
        assertThat(Axis.fitting("", true, new double[] {1, 60}).ticks())
                .containsExactly(1.0, 2.0, 5.0, 10.0, 20.0, 50.0);
        assertThat(Axis.fitting("", true, new double[] {0.01, 10_000}).ticks())
                .containsExactly(0.01, 0.1, 1.0, 10.0, 100.0, 1_000.0, 10_000.0);
    }

    @Test
    void positionsAreClampedToZeroAndOne() {
        Axis log = Axis.fitting("", true, new double[] {1, 100});
        assertThat(log.position(10)).isCloseTo(0.5, within(1e-12));
        assertThat(log.valueAt(0.5)).isCloseTo(10, within(1e-12));
        Axis linear = Axis.fitting("", false, new double[] {10, 20});
        assertThat(linear.position(12.5)).isEqualTo(0.25);
        assertThat(linear.position(99)).isEqualTo(1);
        assertThat(linear.valueAt(0.25)).isEqualTo(12.5);
    }

    @Test
    void emptyAndSingleValuedRangesAreWidened() {
        assertThat(Axis.fitting("", false, new double[] {0.5})).isEqualTo(new Axis("", false, 0, 1, 0));
        assertThat(Axis.fitting("", false, new double[] {Double.NaN, Double.POSITIVE_INFINITY}))
                .isEqualTo(new Axis("", false, 0, 1, 0));
        assertThat(Axis.fitting("", true, new double[] {0, -1})).isEqualTo(new Axis("", true, 1, 10, 0));
        assertThat(Axis.fitting("", true, new double[] {8})).isEqualTo(new Axis("", true, 4, 16, 0));
    }

    @Test
    void numbersAreFormattedShort() {
        assertThat(Axis.format(0.30000000000000004)).isEqualTo("0.3");
        assertThat(Axis.format(1)).isEqualTo("1");
        assertThat(Axis.format(-0.0)).isEqualTo("0");
        assertThat(Axis.format(5_000)).isEqualTo("5000");
        assertThat(Axis.format(50_000)).isEqualTo("50k");
        assertThat(Axis.format(2_500_000)).isEqualTo("2.5M");
        assertThat(Axis.format(1e-7)).isEqualTo("1E-7");
        assertThat(Axis.format(0.00002)).isEqualTo("0.00002");
    }
}
