package org.plant4j.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcquaintanceTest {

    private final PointerScope scope = new PointerScope();
    private final Acquaintance threeOfFive = new Acquaintance(3, 5, 0.5, Compute.CPU);
    private final Tensor numbers = Tensor.create(new float[] {10, 20, 30});

    @AfterEach
    void close() {
        scope.close();
    }

    private double[] own(SomeLabels some) {
        return Golden.values(threeOfFive.own(some, threeOfFive.strangers(), known -> known.of(numbers)));
    }

    @Test
    void strangersHaveNothingOfTheirOwnHoweverTheyAreAskedFor() {
        assertThat(own(SomeLabels.ALL)).containsExactly(10, 20, 30, 0, 0);
        assertThat(own(new SomeLabels.Range(1, 2))).containsExactly(20, 30);
        assertThat(own(new SomeLabels.Range(2, 3))).containsExactly(30, 0, 0);
        assertThat(own(new SomeLabels.Range(4, 1))).containsExactly(0);
        assertThat(own(new SomeLabels.Asked(Tensor.create(new long[] {4, 1, 3, 0}))))
                .containsExactly(0, 20, 0, 10);
    }

    @Test
    void aShareOfTheKnownIsDrawnAndTheSameFromTheSameSeed() {
        Acquaintance many = new Acquaintance(2000, 3000, 0.2, Compute.CPU);
        Engine.seed(3);
        double[] drawn = Golden.values(many.drawn());
        assertThat(drawn).hasSize(2000).containsOnly(0, 1);
        assertThat(Arrays.stream(drawn).sum()).isBetween(340.0, 460.0);
        assertThat(Golden.values(many.drawn())).isNotEqualTo(drawn);
        Engine.seed(3);
        assertThat(Golden.values(many.drawn())).isEqualTo(drawn);
    }

    @Test
    void whoIsTakenForAStrangerHasTheirBias() {
        try (SharedBias bias = new SharedBias(threeOfFive, -1, Compute.CPU)) {
            bias.startBias(new float[] {1, 2, 3});
            bias.startStrangers(-7);
            assertThat(Golden.values(bias.bias(SomeLabels.ALL))).containsExactly(1, 2, 3, -7, -7);
            Tensor drawn = Tensor.create(new float[] {0, 1, 0});
            Tensor values = bias.bias(new SomeLabels.Range(0, 3), drawn);
            assertThat(Golden.values(values)).containsExactly(1, -7, 3);
            values.sum().backward();
            assertThat(Golden.values(Golden.tensor(bias.parameters(), "bias").grad()))
                    .containsExactly(1, 0, 1);
            assertThat(Golden.values(Golden.tensor(bias.parameters(), "shared").grad()))
                    .containsExactly(1);
        }
    }

    @Test
    void whereThereAreNoStrangersNothingIsShared() {
        try (SharedBias bias = new SharedBias(new Acquaintance(3, 3, 0, Compute.CPU), -1, Compute.CPU)) {
            bias.startStrangers(5);
            assertThat(bias.parameters()).containsOnlyKeys("bias");
            assertThat(Golden.values(bias.bias(SomeLabels.ALL))).containsExactly(-1, -1, -1);
        }
    }

    @Test
    void someoneMustBeKnown() {
        assertThatThrownBy(() -> new Acquaintance(0, 5, 0, Compute.CPU)).hasMessageContaining("known: 0");
        assertThatThrownBy(() -> new Acquaintance(6, 5, 0, Compute.CPU)).hasMessageContaining("known: 6");
    }
}
