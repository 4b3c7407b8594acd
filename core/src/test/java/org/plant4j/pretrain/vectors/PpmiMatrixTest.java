package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PpmiMatrixTest {

    private static final double[][] IDENTITY = new double[5][5];

    static {
        for (int i = 0; i < 5; i++) {
            IDENTITY[i][i] = 1;
        }
    }

    /** In halves: n(2,3) = n(3,4) = 2 and n(2,4) = 1; words weigh 3, 4, 3, in all 10. */
    private final CooccurrenceCounter counts = new CooccurrenceCounter(5, 2, 10, 10);

    PpmiMatrixTest() {
        counts.add(new int[] {2, 3, 4});
        counts.finish();
    }

    @Test
    void withoutSmoothingItIsTheLogOfObservedOverExpected() {
        double[][] matrix = new PpmiMatrix(counts, 1).multiply(IDENTITY);
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
    void smoothingTempersContextsOnly() {
        double[][] expected = {{0, 0.55459555, 0.07720992}, {0.48267503, 0, 0.48267503}, {0.07720992, 0.55459555, 0}};
        PpmiMatrix ppmi = new PpmiMatrix(counts, 0.75);
        double[][] matrix = ppmi.multiply(IDENTITY);
        double[][] transposed = ppmi.multiplyTransposed(IDENTITY);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                assertThat(matrix[i + 2][j + 2]).isCloseTo(expected[i][j], within(1e-7));
                assertThat(transposed[j + 2][i + 2]).isCloseTo(expected[i][j], within(1e-7));
            }
        }
    }

    @Test
    void pairsNoMoreFrequentThanChanceAreZero() {
        CooccurrenceCounter frequent = new CooccurrenceCounter(5, 1, 10, 100);
        for (int i = 0; i < 10; i++) {
            frequent.add(new int[] {2, 3});
        }
        frequent.add(new int[] {2, 4});
        frequent.add(new int[] {3, 4});
        frequent.add(new int[] {2, 2}); // n(2,2) = 2, expected 13 · 13 / 26
        frequent.finish();
        assertThat(new PpmiMatrix(frequent, 1).multiply(IDENTITY)[2][2]).isZero();
        assertThat(new PpmiMatrix(frequent, 1).multiply(IDENTITY)[2][3]).isPositive();
    }
}
