package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.plant4j.support.Progress;

class TruncatedSvdTest {

    /** A small matrix written out. */
    private static final class Dense implements LinearOperator {

        private final double[][] values;

        Dense(double[][] values) {
            this.values = values;
        }

        @Override
        public int columns() {
            return values[0].length;
        }

        @Override
        public double[][] multiply(double[][] dense) {
            double[][] product = new double[values.length][dense[0].length];
            for (int i = 0; i < values.length; i++) {
                for (int k = 0; k < dense.length; k++) {
                    for (int j = 0; j < dense[0].length; j++) {
                        product[i][j] += values[i][k] * dense[k][j];
                    }
                }
            }
            return product;
        }

        @Override
        public double[][] multiplyTransposed(double[][] dense) {
            return transposed().multiply(dense);
        }

        Dense transposed() {
            double[][] transposed = new double[values[0].length][values.length];
            for (int i = 0; i < values.length; i++) {
                for (int j = 0; j < values[0].length; j++) {
                    transposed[j][i] = values[i][j];
                }
            }
            return new Dense(transposed);
        }

        double squares() {
            double sum = 0;
            for (double[] row : values) {
                for (double value : row) {
                    sum += value * value;
                }
            }
            return sum;
        }
    }

    private static final Dense SINES = new Dense(new double[40][40]);

    static {
        for (int i = 0; i < 40; i++) {
            for (int j = 0; j < 40; j++) {
                SINES.values[i][j] = Math.max(0, Math.sin(i * j + i + 2 * j));
            }
        }
    }

    /**
     * <pre>{@code
     * i, j = np.mgrid[0:40, 0:40]
     * np.linalg.svd(np.maximum(0, np.sin(i * j + i + 2 * j)))[1][:8]
     * }</pre>
     */
    @Test
    void singularValuesAreThoseOfTheExactDecomposition() {
        double[] exact = {13.30126143, 4.90875943, 4.69513964, 4.1751682, 4.15119421, 4.12093138, 3.88123147, 3.67079661
        };
        TruncatedSvd svd = TruncatedSvd.of(SINES, 8, 30, 1, Progress.NONE.start("", -1));
        assertThat(svd.values()).containsExactly(exact, within(1e-7));
        assertThat(residual(SINES, svd)).isCloseTo(SINES.squares() - sumOfSquares(exact), within(1e-5));
    }

    @Test
    void fewPassesComeNearTheBestReconstruction() {
        TruncatedSvd exact = TruncatedSvd.of(SINES, 8, 30, 1, Progress.NONE.start("", -1));
        TruncatedSvd quick = TruncatedSvd.of(SINES, 8, 4, 1, Progress.NONE.start("", -1));
        assertThat(residual(SINES, quick)).isLessThan(1.01 * residual(SINES, exact));
    }

    @Test
    void leftVectorsAreOrthonormal() {
        assertOrthonormal(
                TruncatedSvd.of(SINES, 40, 2, 1, Progress.NONE.start("", -1)).left(), 40);
    }

    @Test
    void aMatrixOfLowerRankIsRebuiltFromItsFewDirections() {
        double[][] values = new double[30][30];
        for (int i = 0; i < 30; i++) {
            for (int j = 0; j < 30; j++) {
                values[i][j] = (i + 1) * (j % 3) + (i % 4) * (j + 2); // rank 2
            }
        }
        Dense matrix = new Dense(values);
        TruncatedSvd svd = TruncatedSvd.of(matrix, 10, 2, 1, Progress.NONE.start("", -1));
        assertThat(svd.values()[1]).isGreaterThan(1);
        assertThat(svd.values()[2]).isLessThan(1e-6 * svd.values()[0]);
        assertOrthonormal(svd.left(), 2);
        assertThat(residual(matrix, svd)).isLessThan(1e-12 * matrix.squares());
    }

    @Test
    void theMatrixOfARealCountIsRebuiltByAllItsDirections() {
        CooccurrenceCounter counts = new CooccurrenceCounter(9, 2, 1000, 1000);
        counts.add(new int[] {2, 3, 4, 5, 6, 7, 8, 2, 4, 6, 8, 3, 5, 7, 2, 1, 5, 5, 8});
        counts.finish();
        PpmiMatrix ppmi = new PpmiMatrix(counts, 0.75);
        double[][] identity = new double[9][9];
        for (int i = 0; i < 9; i++) {
            identity[i][i] = 1;
        }
        Dense matrix = new Dense(ppmi.multiply(identity));
        TruncatedSvd svd = TruncatedSvd.of(ppmi, 9, 2, 1, Progress.NONE.start("", -1));
        assertThat(sumOfSquares(svd.values())).isCloseTo(matrix.squares(), within(1e-9));
        assertThat(residual(matrix, svd)).isLessThan(1e-12);
    }

    /** What the projection onto the left vectors leaves of the matrix: ||A - U Uᵀ A||². */
    private static double residual(Dense matrix, TruncatedSvd svd) {
        Dense left = new Dense(svd.left());
        double[][] rebuilt = left.multiply(left.multiplyTransposed(matrix.values));
        for (int i = 0; i < rebuilt.length; i++) {
            for (int j = 0; j < rebuilt[i].length; j++) {
                rebuilt[i][j] -= matrix.values[i][j];
            }
        }
        return new Dense(rebuilt).squares();
    }

    private static double sumOfSquares(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        return sum;
    }

    private static void assertOrthonormal(double[][] columns, int count) {
        double[][] products = DenseRows.gram(columns);
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                assertThat(products[i][j]).isCloseTo(i == j ? 1 : 0, within(1e-10));
            }
        }
    }
}
