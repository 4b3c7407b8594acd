package org.plant4j.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StepTimerTest {

    @Test
    void theMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo() {
        assertThat(StepTimer.median(new double[] {4, 1})).isEqualTo(2.5);
        assertThat(StepTimer.median(new double[] {9, 1, 3, 2})).isEqualTo(2.5);
        assertThat(StepTimer.median(new double[] {9, 1, 3})).isEqualTo(3);
    }
}
