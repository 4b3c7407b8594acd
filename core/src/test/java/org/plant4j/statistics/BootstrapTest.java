package org.plant4j.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.plant4j.Interval;

class BootstrapTest {

    @Test
    void theIntervalOfAMeanMatchesTheNormalApproximation() {
        Random random = new Random(2);
        double[] values = random.doubles(400).toArray();
        double[] ones = new double[400];
        Arrays.fill(ones, 1);
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance =
                Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / 400;
        double half = 1.96 * Math.sqrt(variance / 400);

        Interval interval = Objects.requireNonNull(new Bootstrap(4000, 0.95, 9)
                .intervals(List.of(new Ratio("mean", values, ones)))
                .get("mean"));

        assertThat(interval.low()).isEqualTo(mean - half, within(0.1 * half));
        assertThat(interval.high()).isEqualTo(mean + half, within(0.1 * half));
        assertThat(interval.level()).isEqualTo(0.95);
    }

    @Test
    void quantilesAreInterpolated() {
        assertThat(Bootstrap.quantile(new double[] {1, 2, 4}, 0.25)).isEqualTo(1.5);
        assertThat(Bootstrap.quantile(new double[] {1, 2, 4}, 1)).isEqualTo(4);
    }

    @Test
    void noSamplesGiveNoIntervals() {
        Ratio ratio = new Ratio("x", new double[] {1}, new double[] {1});
        assertThat(new Bootstrap(0, 0.95, 1).intervals(List.of(ratio))).isEmpty();
        assertThatThrownBy(() -> new Bootstrap(10, 1, 1)).hasMessageContaining("level: 1.0");
    }
}
