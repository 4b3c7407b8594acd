package org.plant4j.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.plant4j.domain.LengthThresholds.Point;

class LengthThresholdsTest {

    private static final LengthThresholds THRESHOLDS =
            new LengthThresholds(List.of(new Point(2, -10, -6), new Point(8, -8, -6)));

    @Test
    void theMarginIsZeroAtTheThresholdAndOneAtTheMedian() {
        assertThat(THRESHOLDS.margin(-10, 2)).isZero();
        assertThat(THRESHOLDS.margin(-6, 2)).isEqualTo(1);
        assertThat(THRESHOLDS.margin(-12, 2)).isEqualTo(-0.5);
    }

    @Test
    void thresholdsAreInterpolatedInTheLogarithmOfTheLength() {
        assertThat(THRESHOLDS.margin(-9, 4)).isCloseTo(0, within(1e-9)); // halfway from 2 to 8
        assertThat(THRESHOLDS.margin(-7.5, 4)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void thresholdsAreConstantOutside() {
        assertThat(THRESHOLDS.margin(-10, 1)).isZero();
        assertThat(THRESHOLDS.margin(-8, 1000)).isZero();
        assertThat(THRESHOLDS.margin(-7, 1000)).isEqualTo(0.5);
    }

    @Test
    void valuesWithoutSpreadHaveAMarginToo() {
        LengthThresholds equal = new LengthThresholds(List.of(new Point(1, 3, 3)));
        assertThat(equal.margin(3, 5)).isZero();
        assertThat(equal.margin(2.9, 5)).isNegative();
    }

    @Test
    void lengthsMustAscend() {
        assertThatThrownBy(() -> new LengthThresholds(List.of(new Point(2, 0, 1), new Point(2, 0, 1))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Point(1, 2, 1)).hasMessageContaining("at most the median");
    }
}
