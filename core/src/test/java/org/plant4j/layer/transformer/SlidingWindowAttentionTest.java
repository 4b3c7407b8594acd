package org.plant4j.layer.transformer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.Precision;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Golden;

/** Sparse attention against dense attention with a mask. */
class SlidingWindowAttentionTest {

    private static final int SIZE = 8;
    private static final int HEADS = 2;

    @ParameterizedTest
    @CsvSource({"1, 2, 1", "7, 2, 1", "7, 4, 3", "12, 4, 1", "13, 6, 2", "5, 20, 1", "9, 4, 9"})
    void outputsAndGradientsEqualThoseOfADenseMask(int length, int window, int globals) {
        Engine.setSeed(length);
        try (PointerScope scope = new PointerScope();
                SlidingWindowAttention layer = new SlidingWindowAttention(SIZE, HEADS, window, 0, Compute.CPU)) {
            Tensor mask = mask(length, globals);
            Tensor x = Golden.wave(3, 2, length, SIZE);
            x.set_requires_grad(true);
            Tensor real = mask.unsqueeze(-1); // outputs at padding do not matter
            Tensor sparse = layer.forward(x, mask, globals, false).mul(real);
            Golden.backward(sparse);
            double[] gradient = Golden.values(x.grad());
            x.grad().zero_();
            Tensor dense =
                    dense(layer.parameters(), x, mask, window / 2, globals).mul(real);
            Golden.backward(dense);
            assertThat(Golden.values(sparse)).containsExactly(Golden.values(dense), within(1e-5));
            assertThat(gradient).containsExactly(Golden.values(x.grad()), within(1e-5));
        }
    }

    @Test
    void theUnfusedKernelGivesTheSame() {
        Engine.setSeed(1);
        try (PointerScope scope = new PointerScope();
                SlidingWindowAttention fused = new SlidingWindowAttention(SIZE, HEADS, 4, 0, Compute.CPU);
                SlidingWindowAttention unfused =
                        new SlidingWindowAttention(SIZE, HEADS, 4, 0, new Compute(false, Precision.BFLOAT16))) {
            unfused.copyFrom(fused);
            Tensor x = Golden.wave(3, 2, 9, SIZE);
            Tensor mask = mask(9, 2);
            Tensor real = mask.unsqueeze(-1);
            assertThat(Golden.values(unfused.forward(x, mask, 2, false).mul(real)))
                    .containsExactly(
                            Golden.values(fused.forward(x, mask, 2, false).mul(real)), within(1e-5));
        }
    }

    @Test
    void anOddWindowAndARowWithoutGlobalTokensAreRefused() {
        assertThatThrownBy(() -> new SlidingWindowAttention(SIZE, HEADS, 3, 0, Compute.CPU))
                .hasMessageContaining("attention_window");
        try (PointerScope scope = new PointerScope();
                SlidingWindowAttention layer = new SlidingWindowAttention(SIZE, HEADS, 2, 0, Compute.CPU)) {
            assertThatThrownBy(() ->
                            layer.forward(Golden.wave(0, 1, 3, SIZE), mask(3, 1).narrow(0, 0, 1), 0, false))
                    .hasMessageContaining("global tokens");
        }
    }

    /** Two rows, of which the second has only its global tokens and every other token after them. */
    private static Tensor mask(int length, int globals) {
        float[] real = new float[2 * length];
        for (int t = 0; t < length; t++) {
            real[t] = 1;
            real[length + t] = t < globals || t % 2 == 0 ? 1 : 0;
        }
        return Tensor.create(real, 2, length).to(torch.ScalarType.Bool);
    }

    private static Tensor dense(Map<String, Tensor> parameters, Tensor x, Tensor mask, int reach, int globals) {
        long length = x.size(1);
        Tensor places = torch.arange(new Scalar(length));
        Tensor near = places.unsqueeze(0).sub(places.unsqueeze(1)).abs().le(new Scalar(reach));
        Tensor allowed = near.logical_or(places.lt(new Scalar(globals)).unsqueeze(0))
                .unsqueeze(0)
                .logical_and(mask.unsqueeze(1)); // (N, M, M)
        Tensor local = attend(parameters, "", x, allowed);
        Tensor global = attend(parameters, "_global", x, mask.unsqueeze(1).expand_as(allowed));
        Tensor joined = torch.cat(
                new TensorVector(global.narrow(1, 0, globals), local.narrow(1, globals, length - globals)), 1);
        return linear(parameters, "output.dense", joined);
    }

    private static Tensor attend(Map<String, Tensor> parameters, String suffix, Tensor x, Tensor allowed) {
        Tensor weights = ScaledDotProduct.weights(
                ScaledDotProduct.splitHeads(linear(parameters, "self.query" + suffix, x), HEADS),
                ScaledDotProduct.splitHeads(linear(parameters, "self.key" + suffix, x), HEADS),
                Optional.of(allowed.unsqueeze(1)));
        return ScaledDotProduct.joinHeads(torch.matmul(
                weights, ScaledDotProduct.splitHeads(linear(parameters, "self.value" + suffix, x), HEADS)));
    }

    private static Tensor linear(Map<String, Tensor> parameters, String name, Tensor x) {
        return torch.matmul(x, Golden.tensor(parameters, name + ".weight").t())
                .add(Golden.tensor(parameters, name + ".bias"));
    }
}
