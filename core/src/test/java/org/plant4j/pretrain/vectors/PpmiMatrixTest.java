package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;
import org.plant4j.tensor.Golden;

class PpmiMatrixTest {

    private static double[][] dense(UnaryOperator<Tensor> product) {
        try (PointerScope scope = new PointerScope()) {
            double[] values = Golden.values(product.apply(torch.eye(5, new TensorOptions(torch.ScalarType.Double))));
            return IntStream.range(0, 5)
                    .mapToObj(row -> Arrays.copyOfRange(values, 5 * row, 5 * row + 5))
                    .toArray(double[][]::new);
        }
    }

    /** In halves: n(2,3) = n(3,4) = 2 and n(2,4) = 1; the totals of the tokens are 3, 4, 3, together 10. */
    private final CooccurrenceCounter counts = new CooccurrenceCounter(5, 2, 10, 10);

    PpmiMatrixTest() {
        counts.add(new int[] {2, 3, 4});
        counts.finish();
    }

    @Test
    void withoutSmoothingValuesAreTheLogOfObservedOverExpected() {
        double[][] matrix = dense(new PpmiMatrix(counts, 1)::multiply);
        assertThat(matrix[2][3]).isCloseTo(Math.log(2 * 10 / (3.0 * 4)), within(1e-7));
        assertThat(matrix[3][2]).isCloseTo(Math.log(2 * 10 / (3.0 * 4)), within(1e-7));
        assertThat(matrix[2][4]).isCloseTo(Math.log(1 * 10 / (3.0 * 3)), within(1e-7));
        assertThat(matrix[2]).containsSubsequence(0, 0, 0);
        assertThat(matrix[0]).containsOnly(0);
        assertThat(matrix[1]).containsOnly(0);
    }

    /**
     * <pre>{@code
     * p = np.array([3., 4., 3.]) ** .75; p /= p.sum()
     * n = np.array([[0, 2, 1], [2, 0, 2], [1, 2, 0]])
     * np.maximum(0, np.log(n / n.sum(1, keepdims=True) / p))
     * }</pre>
     */
    @Test
    void smoothingAppliesToContextsOnly() {
        double[][] expected = {{0, 0.55459555, 0.07720992}, {0.48267503, 0, 0.48267503}, {0.07720992, 0.55459555, 0}};
        PpmiMatrix ppmi = new PpmiMatrix(counts, 0.75);
        double[][] matrix = dense(ppmi::multiply);
        double[][] transposed = dense(ppmi::multiplyTransposed);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(matrix[i + 2][j + 2]).isCloseTo(expected[i][j], within(1e-7));
                assertThat(transposed[j + 2][i + 2]).isCloseTo(expected[i][j], within(1e-7));
            }
        }
    }

    @Test
    void pairsNotMoreFrequentThanChanceAreZero() {
        CooccurrenceCounter frequent = new CooccurrenceCounter(5, 1, 10, 100);
        for (int i = 0; i < 10; i++) {
            frequent.add(new int[] {2, 3});
        }
        frequent.add(new int[] {2, 4});
        frequent.add(new int[] {3, 4});
        frequent.add(new int[] {2, 2}); // n(2,2) = 2, expected 13 · 13 / 26
        frequent.finish();
        assertThat(dense(new PpmiMatrix(frequent, 1)::multiply)[2][2]).isZero();
        assertThat(dense(new PpmiMatrix(frequent, 1)::multiply)[2][3]).isPositive();
    }
}
