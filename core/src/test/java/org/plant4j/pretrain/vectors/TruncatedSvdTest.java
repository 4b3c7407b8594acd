package org.plant4j.pretrain.vectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.plant4j.Progress;
import org.plant4j.tensor.Golden;

public class TruncatedSvdTest {

    private final PointerScope scope = new PointerScope();

    @AfterEach
    void closeScope() {
        scope.close();
    }

    private static Tensor tensor(double[][] values) {
        return Tensor.create(
                Arrays.stream(values).flatMapToDouble(Arrays::stream).toArray(), values.length, values[0].length);
    }

    /** A small dense matrix. */
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
        public Tensor multiply(Tensor dense) {
            return torch.matmul(tensor(values), dense);
        }

        @Override
        public Tensor multiplyTransposed(Tensor dense) {
            return torch.matmul(tensor(values).t(), dense);
        }

        double squares() {
            return Arrays.stream(values)
                    .flatMapToDouble(Arrays::stream)
                    .map(value -> value * value)
                    .sum();
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
    void singularValuesMatchTheExactDecomposition() {
        double[] exact = {13.30126143, 4.90875943, 4.69513964, 4.1751682, 4.15119421, 4.12093138, 3.88123147, 3.67079661
        };
        TruncatedSvd svd = TruncatedSvd.of(SINES, 8, 30, 1, Progress.NONE.start("", -1));
        assertThat(svd.values()).containsExactly(exact, within(1e-7));
        assertThat(residual(SINES, svd)).isCloseTo(SINES.squares() - sumOfSquares(exact), within(1e-5));
    }

    @Test
    void fewPassesAreCloseToTheBestReconstruction() {
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
    void aMatrixOfLowRankIsReconstructed() {
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
    void aPpmiMatrixIsReconstructedAtFullRank() {
        CooccurrenceCounter counts = new CooccurrenceCounter(9, 2, 1000, 1000);
        counts.add(new int[] {2, 3, 4, 5, 6, 7, 8, 2, 4, 6, 8, 3, 5, 7, 2, 1, 5, 5, 8});
        counts.finish();
        PpmiMatrix ppmi = new PpmiMatrix(counts, 0.75);
        Dense matrix = new Dense(toRows(ppmi.multiply(torch.eye(9, new TensorOptions(torch.ScalarType.Double)))));
        TruncatedSvd svd = TruncatedSvd.of(ppmi, 9, 2, 1, Progress.NONE.start("", -1));
        assertThat(sumOfSquares(svd.values())).isCloseTo(matrix.squares(), within(1e-9));
        assertThat(residual(matrix, svd)).isLessThan(1e-12);
    }

    private static double[][] toRows(Tensor tensor) {
        double[] values = Golden.values(tensor);
        int columns = (int) tensor.size(1);
        return IntStream.range(0, (int) tensor.size(0))
                .mapToObj(row -> Arrays.copyOfRange(values, columns * row, columns * (row + 1)))
                .toArray(double[][]::new);
    }

    /** Squared norm of the matrix minus its projection onto the left vectors: ||A - U Uᵀ A||². */
    private static double residual(Dense matrix, TruncatedSvd svd) {
        Tensor left = tensor(svd.left());
        Tensor values = tensor(matrix.values);
        return values.sub(torch.matmul(left, torch.matmul(left.t(), values)))
                .square()
                .sum()
                .item_double();
    }

    private static double sumOfSquares(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        return sum;
    }

    private static void assertOrthonormal(double[][] columns, int count) {
        Tensor left = tensor(columns);
        double[][] products = toRows(torch.matmul(left.t(), left));
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < count; j++) {
                assertThat(products[i][j]).isCloseTo(i == j ? 1 : 0, within(1e-10));
            }
        }
    }
}
