package org.plant4j.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;
import org.plant4j.tensor.LabelSelection;

class ZeroShotMaskTest {

    private final PointerScope scope = new PointerScope();
    private final ZeroShotMask threeOfFive = new ZeroShotMask(3, 5, 0.5, Compute.CPU);
    private final Tensor numbers = Tensor.create(new float[] {10, 20, 30});

    @AfterEach
    void close() {
        scope.close();
    }

    private double[] computeTrained(LabelSelection some) {
        return Golden.values(threeOfFive.computeTrained(some, threeOfFive.mask(), known -> known.select(numbers)));
    }

    @Test
    void zeroShotLabelsGetZeroInEverySelection() {
        assertThat(computeTrained(LabelSelection.ALL)).containsExactly(10, 20, 30, 0, 0);
        assertThat(computeTrained(new LabelSelection.Range(1, 2))).containsExactly(20, 30);
        assertThat(computeTrained(new LabelSelection.Range(2, 3))).containsExactly(30, 0, 0);
        assertThat(computeTrained(new LabelSelection.Range(4, 1))).containsExactly(0);
        assertThat(computeTrained(new LabelSelection.Ids(Tensor.create(new long[] {4, 1, 3, 0}))))
                .containsExactly(0, 20, 0, 10);
    }

    @Test
    void trainedLabelsAreMaskedAtTheRateAndReproducibly() {
        ZeroShotMask many = new ZeroShotMask(2000, 3000, 0.2, Compute.CPU);
        Engine.setSeed(3);
        double[] drawn = Golden.values(many.sampleTrainingMask());
        assertThat(drawn).hasSize(2000).containsOnly(0, 1);
        assertThat(Arrays.stream(drawn).sum()).isBetween(340.0, 460.0);
        assertThat(Golden.values(many.sampleTrainingMask())).isNotEqualTo(drawn);
        Engine.setSeed(3);
        assertThat(Golden.values(many.sampleTrainingMask())).isEqualTo(drawn);
    }

    @Test
    void maskedLabelsUseTheSharedBias() {
        try (ZeroShotBias bias = new ZeroShotBias(threeOfFive, -1, Compute.CPU)) {
            bias.initializeBias(new float[] {1, 2, 3});
            bias.initializeZeroShotBias(-7);
            assertThat(Golden.values(bias.bias(LabelSelection.ALL))).containsExactly(1, 2, 3, -7, -7);
            Tensor drawn = Tensor.create(new float[] {0, 1, 0});
            Tensor values = bias.bias(new LabelSelection.Range(0, 3), drawn);
            assertThat(Golden.values(values)).containsExactly(1, -7, 3);
            values.sum().backward();
            assertThat(Golden.values(Golden.tensor(bias.parameters(), "bias").grad()))
                    .containsExactly(1, 0, 1);
            assertThat(Golden.values(Golden.tensor(bias.parameters(), "shared").grad()))
                    .containsExactly(1);
        }
    }

    @Test
    void withoutZeroShotLabelsThereIsNoSharedBias() {
        try (ZeroShotBias bias = new ZeroShotBias(new ZeroShotMask(3, 3, 0, Compute.CPU), -1, Compute.CPU)) {
            bias.initializeZeroShotBias(5);
            assertThat(bias.parameters()).containsOnlyKeys("bias");
            assertThat(Golden.values(bias.bias(LabelSelection.ALL))).containsExactly(-1, -1, -1);
        }
    }

    @Test
    void atLeastOneLabelMustBeTrained() {
        assertThatThrownBy(() -> new ZeroShotMask(0, 5, 0, Compute.CPU)).hasMessageContaining("trainedLabels: 0");
        assertThatThrownBy(() -> new ZeroShotMask(6, 5, 0, Compute.CPU)).hasMessageContaining("trainedLabels: 6");
    }
}
