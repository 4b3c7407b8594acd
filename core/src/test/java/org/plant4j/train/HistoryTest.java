package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static History of(double... metrics) {
        return new History(IntStream.range(0, metrics.length)
                .mapToObj(epoch -> new History.Epoch(epoch, 1, Double.NaN, metrics[epoch], 0.1))
                .toList());
    }

    @Test
    void theEarliestAmongEqualEpochsIsBest() {
        assertThat(of(0.1, 0.5, 0.3, 0.5).best().orElseThrow().epoch()).isEqualTo(1);
        assertThat(History.EMPTY.best()).isEmpty();
    }

    @Test
    void aMetricWithoutAValueIsNeverBetter() {
        assertThat(of(Double.NaN, 0.5, Double.NaN).best().orElseThrow().epoch()).isEqualTo(1);
        assertThat(of(Double.NaN, Double.NaN).best().orElseThrow().epoch()).isZero();
    }

    @Test
    void jsonHoldsEveryNumber() {
        History history = of(0.1, Double.NaN);
        assertThat(History.fromJson(history.toJson())).isEqualTo(history);
    }
}
