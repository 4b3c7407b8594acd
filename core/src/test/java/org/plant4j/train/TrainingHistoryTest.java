package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TrainingHistoryTest {

    private static TrainingHistory of(double... metrics) {
        return new TrainingHistory(IntStream.range(0, metrics.length)
                .mapToObj(epoch -> new TrainingHistory.Epoch(epoch, 1, Double.NaN, metrics[epoch], 0.1))
                .toList());
    }

    @Test
    void theEarliestOfEqualEpochsIsBest() {
        assertThat(of(0.1, 0.5, 0.3, 0.5).best().orElseThrow().epoch()).isEqualTo(1);
        assertThat(TrainingHistory.EMPTY.best()).isEmpty();
    }

    @Test
    void nanIsNeverBetter() {
        assertThat(of(Double.NaN, 0.5, Double.NaN).best().orElseThrow().epoch()).isEqualTo(1);
        assertThat(of(Double.NaN, Double.NaN).best().orElseThrow().epoch()).isZero();
    }

    @Test
    void jsonRoundTripKeepsEveryNumber() {
        TrainingHistory history = of(0.1, Double.NaN);
        assertThat(TrainingHistory.fromJson(history.toJson())).isEqualTo(history);
    }
}
