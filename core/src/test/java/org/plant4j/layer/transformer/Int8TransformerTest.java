package org.plant4j.layer.transformer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.plant4j.Precision;
import org.plant4j.layer.Dropout;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/** Layers of transformers in lower precisions, compared with float32. */
class Int8TransformerTest {

    private static final int SIZE = 64;
    private static final int HEADS = 4;

    @BeforeEach
    void seed() {
        Engine.setThreads(1);
        Engine.setSeed(3);
    }

    private static TransformerEncoderLayer<SelfAttention> layer(Precision precision) {
        Compute compute = new Compute(false, precision);
        return new TransformerEncoderLayer<>(
                new SelfAttention(SIZE, HEADS, 0.1, compute), SIZE, 4 * SIZE, 1e-12, 0.1, compute);
    }

    private static Tensor forward(TransformerEncoderLayer<SelfAttention> layer, Tensor x, Optional<Tensor> mask) {
        return layer.forward(x, attention -> attention.forward(x, mask, false), false);
    }

    private static double relativeError(Tensor actual, Tensor expected) {
        return actual.to(torch.ScalarType.Float)
                .sub(expected)
                .norm()
                .div(expected.norm())
                .item_double();
    }

    @ParameterizedTest
    @EnumSource(names = {"BFLOAT16", "INT8"})
    void aLayerDiffersLittleFromFloat32(Precision precision) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard();
                TransformerEncoderLayer<SelfAttention> exact = layer(Precision.FLOAT32);
                TransformerEncoderLayer<SelfAttention> rough = layer(precision);
                Compute.Autocast autocast = new Compute(false, precision).autocast()) {
            rough.copyFrom(exact);
            Tensor x = torch.randn(5, 11, SIZE);
            Tensor mask = torch.ones(5, 11).to(torch.ScalarType.Bool);
            mask.narrow(1, 8, 3).narrow(0, 0, 2).fill_(new Scalar(0)); // two rows of eight tokens
            Optional<Tensor> attended = Optional.of(mask.unsqueeze(1).unsqueeze(1));
            Tensor expected;
            try (Compute.Autocast off = new Compute(false, precision).withoutAutocast()) {
                expected = forward(exact, x, attended);
            }
            assertThat(relativeError(forward(rough, x, attended), expected)).isBetween(1e-5, 0.02);
        }
    }

    /** Attention over eight tokens and three of padding equals that over eight, up to the order of sums in bfloat16. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void paddingIsNotAttendedTo(boolean fused) {
        ScaledDotProduct attention = new ScaledDotProduct(new Dropout(0.1), fused);
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor q = torch.randn(2, HEADS, 11, 16);
            Tensor k = torch.randn(2, HEADS, 11, 16);
            Tensor v = torch.randn(2, HEADS, 11, 16);
            Tensor mask = torch.ones(2, 11).to(torch.ScalarType.Bool);
            mask.narrow(1, 8, 3).fill_(new Scalar(0));
            Tensor padded =
                    attention.forward(q, k, v, Optional.of(mask.unsqueeze(1).unsqueeze(1)), false);
            Tensor cut = attention.forward(q, k.narrow(2, 0, 8), v.narrow(2, 0, 8), Optional.empty(), false);
            assertThat(relativeError(padded, cut)).isLessThan(0.005);
        }
    }

    /**
     * More rows than fit into the cache are processed in several parts. With a scale of 40, scores are above 100, whose
     * exponentials would overflow, and their softmax is computed as in float32.
     */
    @ParameterizedTest
    @CsvSource({"1, 0.01", "40, 1e-6"})
    void attentionInBfloat16EqualsThatInFloat32(double scale, double error) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor q = torch.randn(21, HEADS, 90, 16).mul(new Scalar(scale));
            Tensor k = torch.randn(21, HEADS, 90, 16);
            Tensor v = torch.randn(21, HEADS, 90, 16);
            Tensor exact = new ScaledDotProduct(0.1, Compute.CPU).forward(q, k, v, Optional.empty(), false);
            Tensor rough = new ScaledDotProduct(new Dropout(0.1), false).forward(q, k, v, Optional.empty(), false);
            assertThat(rough.shape()).containsExactly(21, HEADS, 90, 16);
            assertThat(relativeError(rough, exact)).isLessThan(error);
        }
    }
}
