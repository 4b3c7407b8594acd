package org.plant4j.model.description;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

class QuantizedDescriptionsTest {

    private static final int LABELS = 130; // several chunks of 51
    private static final int TOKENS = 10;
    private static final int SIZE = 48;

    @BeforeEach
    void seed() {
        Engine.setThreads(1);
        Engine.setSeed(11);
    }

    private static Tensor normalized(Tensor vectors) {
        return vectors.div(vectors.square()
                .sum(new long[] {-1}, true, new ScalarTypeOptional())
                .sqrt());
    }

    /** Windows of 7, 4 and 7 tokens. */
    @ParameterizedTest
    @CsvSource({"0, 130, 16", "50, 3, 16", "60, 70, 16", "129, 1, 16", "0, 130, 200"})
    void logitsOfALabelRangeAreThoseOfFloat32(int first, int count, double sharpness) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Batch windows = Batch.of(
                    List.of(new int[] {2, 3, 4, 5, 6, 7, 8}, new int[] {2, 3, 4, 5}, new int[] {8, 7, 6, 5, 4, 3, 2}),
                    Compute.CPU);
            Tensor keys = normalized(torch.randn(3, 7, SIZE));
            Tensor values = torch.randn(3, 7, SIZE);
            DescriptionQueries descriptions = new DescriptionQueries(
                    DescriptionQueries.concatenate(
                            normalized(torch.randn(LABELS, TOKENS, SIZE)).mul(new Scalar(sharpness)),
                            torch.randn(LABELS, TOKENS, SIZE),
                            torch.softmax(torch.randn(LABELS, TOKENS, 1), 1)),
                    SIZE);
            LabelSelection.Range range = new LabelSelection.Range(first, count);
            Tensor expected = descriptions
                    .select(range)
                    .logitsPerDescriptionToken(keys, values, windows.mask())
                    .sum(-1L);
            try (QuantizedDescriptions quantized = new QuantizedDescriptions(descriptions)) {
                Tensor actual = quantized.logits(keys, values, windows, range);
                assertThat(actual.shape()).containsExactly(3, count);
                assertThat(actual.sub(expected).norm().div(expected.norm()).item_double())
                        .isBetween(1e-5, sharpness > 100 ? 0.1 : 0.03);
            }
        }
    }
}
