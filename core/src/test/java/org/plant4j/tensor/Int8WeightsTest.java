package org.plant4j.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class Int8WeightsTest {

    private PointerScope scope;
    private NoGradGuard noGrad;

    @BeforeEach
    void open() {
        Engine.setThreads(1);
        scope = new PointerScope();
        noGrad = new NoGradGuard();
    }

    @AfterEach
    void close() {
        noGrad.close();
        scope.close();
    }

    /** Packing for one of the kernels. */
    interface Packing extends BiFunction<Tensor, Optional<Tensor>, Int8Weights> {}

    static List<Packing> packings() {
        return List.of(Int8Weights::forManyRows, Int8Weights::forFewRows);
    }

    /** With a scale of 1 for each row of weights, and of 5 / 255 for 0 to 5, these values are exact in 8 bits. */
    @ParameterizedTest
    @MethodSource("packings")
    void productsOfRepresentableValuesAreExact(Packing packing) {
        Tensor weight = Tensor.create(new float[] {127, -3, 10, 0, /**/ 1, 2, 3, -127}, 2, 4);
        Tensor bias = Tensor.create(new float[] {0.5f, -0.25f});
        Tensor x = Tensor.create(new float[] {0, 1, 2, 5, /**/ 5, 0, 0, 1}, 2, 4);
        try (Int8Weights packed = packing.apply(weight, Optional.of(bias))) {
            double tolerance = Int8Weights.reducesRange() ? 10 : 1e-3;
            assertThat(Golden.values(packed.multiply(x)))
                    .containsExactly(
                            new double[] {
                                -3 + 20 + 0.5, 2 + 6 - 635 - 0.25, // first row
                                635 + 0.5, 5 - 127 - 0.25
                            },
                            within(tolerance));
        }
    }

    /** A row of weights up to 12.7 has the scale 0.1, so that 0.06 counts as 0.1 and 0.04 as 0. */
    @ParameterizedTest
    @MethodSource("packings")
    void weightsAreRoundedToTheScaleOfTheirRow(Packing packing) {
        Tensor weight = Tensor.create(new float[] {12.7f, 0.06f, 0.04f, /**/ 0, 0, 0}, 2, 3);
        try (Int8Weights packed = packing.apply(weight, Optional.empty())) {
            Tensor x = Tensor.create(new float[] {0, 1, 0, /**/ 0, 0, 1}, 2, 3);
            assertThat(Golden.values(packed.multiply(x))).containsExactly(new double[] {0.1, 0, 0, 0}, within(1e-5));
        }
    }

    @ParameterizedTest
    @MethodSource("packings")
    void randomProductsDifferByAFewPercentFromFloat32(Packing packing) {
        torch.manual_seed(7);
        Tensor weight = torch.randn(96, 200).mul(new Scalar(0.05));
        Tensor bias = torch.randn(96);
        Tensor x = torch.randn(2, 17, 200);
        Tensor expected = torch.linear(x, weight, new TensorOptional(bias));
        try (Int8Weights packed = packing.apply(weight, Optional.of(bias))) {
            Tensor actual = packed.multiply(x);
            assertThat(actual.shape()).containsExactly(2, 17, 96);
            double error =
                    actual.sub(expected).norm().div(expected.norm()).item().toDouble();
            assertThat(error).isBetween(1e-4, Int8Weights.reducesRange() ? 0.03 : 0.015);
        }
    }

    @Test
    void inputsInBfloat16AndTransposedInputsAreAccepted() {
        Tensor x = torch.randn(40, 30).t();
        try (Int8Weights packed = Int8Weights.forManyRows(torch.randn(50, 40), Optional.empty())) {
            double[] expected = Golden.values(packed.multiply(x.contiguous()));
            assertThat(Golden.values(packed.multiply(x))).containsExactly(expected, within(0.0));
            assertThat(Golden.values(packed.multiply(x.to(torch.ScalarType.BFloat16))))
                    .containsExactly(expected, within(0.5));
        }
    }

    @Test
    void weightsOutliveTheScopeInWhichTheyArePacked() {
        Int8Weights packed;
        try (PointerScope inner = new PointerScope()) {
            packed = Int8Weights.forManyRows(torch.ones(64, 64), Optional.empty());
        }
        try (packed) {
            assertThat(packed.multiply(torch.ones(1, 64)).mean().item().toDouble())
                    .isCloseTo(64, within(0.6));
        }
    }
}
