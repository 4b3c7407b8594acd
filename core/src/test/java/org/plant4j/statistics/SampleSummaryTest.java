package org.plant4j.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SampleSummaryTest {

    @Test
    void theIntervalIsStudentsT() {
        // scipy.stats.t.interval(0.95, 2, loc=3, scale=scipy.stats.sem([1, 3, 5])) == (-1.968, 7.968)
        SampleSummary spread = SampleSummary.of(1, 3, 5);
        assertThat(spread.mean()).isEqualTo(3);
        assertThat(spread.deviation()).isEqualTo(2);
        assertThat(spread.low()).isEqualTo(-1.968, within(0.001));
        assertThat(spread.high()).isEqualTo(7.968, within(0.001));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(SampleSummary.of(0.5).mean()).isEqualTo(0.5);
        assertThat(SampleSummary.of(0.5).low()).isNaN();
        assertThat(SampleSummary.of().mean()).isNaN();
    }
}
