package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.tensor.Golden;

class LearningRateScheduleTest {

    @Test
    void oneCycleEqualsPyTorch() {
        double[] expected = Golden.of("oneCycle").numbers("factors");
        LearningRateSchedule schedule = LearningRateSchedule.oneCycle(4.0 / 19);
        for (int step = 0; step < expected.length; step++) {
            assertThat(schedule.factor(step / 19.0)).as("step %d", step).isCloseTo(expected[step], within(1e-7));
        }
    }

    @Test
    void oneCycleRisesToThePeakAndFalls() {
        LearningRateSchedule schedule = LearningRateSchedule.oneCycle(0.3);
        for (int percent = 1; percent <= 100; percent++) {
            double change = schedule.factor(percent / 100.0) - schedule.factor((percent - 1) / 100.0);
            assertThat(change > 0).as("%d %%", percent).isEqualTo(percent <= 30);
        }
        assertThat(schedule.factor(0)).isCloseTo(0.04, within(1e-12));
        assertThat(schedule.factor(0.3)).isCloseTo(1, within(1e-12));
        assertThat(schedule.factor(1)).isCloseTo(4e-6, within(1e-12));
        assertThat(schedule.factor(1.5)).isEqualTo(schedule.factor(1));
    }

    @Test
    void aWarmupOfZeroKeepsTheRateConstant() {
        LearningRateSchedule schedule = new TrainerConfig(1, 0, 1, 0.9, 0.999, 1).schedule();
        assertThat(schedule.factor(0)).isEqualTo(1);
        assertThat(schedule.factor(0.7)).isEqualTo(1);
    }

    @Test
    void weightDecayFallsAlongACosine() {
        TrainerConfig config = new TrainerConfig(10, 0, 0.2, 1, 0.9, 0.999, 10);
        assertThat(config.weightDecayScale(0)).isEqualTo(1);
        assertThat(config.weightDecayScale(0.5)).isCloseTo(0.6, within(1e-12));
        assertThat(config.weightDecayScale(1)).isCloseTo(0.2, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, Double.NaN})
    void aWarmupOutsideTheTrainingIsRejected(double warmup) {
        assertThatThrownBy(() -> LearningRateSchedule.oneCycle(warmup)).hasMessageContaining("warmup: " + warmup);
    }
}
