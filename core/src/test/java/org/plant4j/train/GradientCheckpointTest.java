package org.plant4j.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

class GradientCheckpointTest {

    @BeforeAll
    static void oneThread() {
        Engine.setThreads(1);
    }

    @Test
    void dropoutMasksAreTheSameInTheBackwardPass() {
        try (PointerScope scope = new PointerScope()) {
            Engine.setSeed(1);
            Tensor x = torch.ones(6, 40);
            x.set_requires_grad(true);
            GradientCheckpoint rows = new GradientCheckpoint(
                    List.of(
                            () -> torch.dropout(x.narrow(0, 0, 2), 0.5, true),
                            () -> torch.dropout(x.narrow(0, 2, 4), 0.5, true)),
                    Compute.CPU);
            Tensor value = rows.value();
            assertThat(value.requires_grad()).isTrue();
            assertThat(Golden.values(value)).contains(0, 2);
            assertThat(Golden.values(value.narrow(0, 0, 2)))
                    .as("each chunk draws its own mask")
                    .isNotEqualTo(Golden.values(value.narrow(0, 2, 2)));
            value.sum().backward();
            rows.backward();
            assertThat(Golden.values(x.grad()))
                    .isEqualTo(Golden.values(value)); // of ones: kept values are doubled, in both directions
        }
    }

    @Test
    void frozenParametersGetNoGradient() {
        try (PointerScope scope = new PointerScope()) {
            Tensor frozen = torch.ones(4, 3);
            GradientCheckpoint rows = new GradientCheckpoint(
                    List.of(() -> frozen.narrow(0, 0, 2), () -> frozen.narrow(0, 2, 2)), Compute.CPU);
            rows.value().sum().backward();
            rows.backward();
            assertThat(frozen.grad().defined()).isFalse();
        }
    }

    @Test
    void withoutAGradientBackwardDoesNothing() {
        try (PointerScope scope = new PointerScope()) {
            Tensor x = torch.ones(2, 3);
            x.set_requires_grad(true);
            new GradientCheckpoint(List.of(() -> x.mul(x)), Compute.CPU).backward();
            assertThat(x.grad().defined()).isFalse();
        }
    }
}
