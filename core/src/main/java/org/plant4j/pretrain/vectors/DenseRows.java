package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Work on tall dense matrices, shared among the threads of the caller's pool. Which rows form a share never depends on
 * the number of threads, and shares are summed in order, so that neither do the results.
 */
final class DenseRows {

    private static final int SHARES = 64;

    /** What is left of a column's square when rounding is all that is left of it. */
    private static final double DEPENDENT = 1e-13;

    private DenseRows() {}

    /** Every 64th row is a share: frequent words, with their long rows, come first and are dealt out evenly. */
    static void each(int rows, IntConsumer work) {
        IntStream.range(0, SHARES).parallel().forEach(share -> {
            for (int row = share; row < rows; row += SHARES) {
                work.accept(row);
            }
        });
    }

    static void add(double[] sum, double factor, double[] row) {
        addFrom(0, sum, factor, row);
    }

    private static void addFrom(int start, double[] sum, double factor, double[] row) {
        for (int i = start; i < row.length; i++) {
            sum[i] += factor * row[i];
        }
    }

    /** The products of all pairs of columns: YᵀY. */
    static double[][] gram(double[][] matrix) {
        List<double[][]> parts = IntStream.range(0, SHARES)
                .parallel()
                .mapToObj(share -> upperGram(matrix, share))
                .toList();
        double[][] gram = parts.get(0);
        for (double[][] part : parts.subList(1, SHARES)) {
            for (int i = 0; i < gram.length; i++) {
                add(gram[i], 1, part[i]);
            }
        }
        for (int i = 0; i < gram.length; i++) {
            for (int k = 0; k < i; k++) {
                gram[i][k] = gram[k][i];
            }
        }
        return gram;
    }

    private static double[][] upperGram(double[][] matrix, int share) {
        int width = matrix[0].length;
        double[][] gram = new double[width][width];
        for (int row = share; row < matrix.length; row += SHARES) {
            for (int i = 0; i < width; i++) {
                addFrom(i, gram[i], matrix[row][i], matrix[row]);
            }
        }
        return gram;
    }

    /**
     * Makes the columns orthonormal in place, by the Cholesky factor of their products; a column that hangs on those
     * before it becomes zero.
     */
    static void orthonormalize(double[][] matrix) {
        int width = matrix[0].length;
        double[][] upper = gram(matrix); // becomes R of Y = QR
        double[] scale = new double[width]; // one over R's diagonal
        double[] squares = new double[width];
        Arrays.setAll(squares, j -> upper[j][j]);
        for (int j = 0; j < width; j++) {
            boolean free = upper[j][j] > DEPENDENT * squares[j];
            scale[j] = free ? 1 / Math.sqrt(upper[j][j]) : 0;
            for (int i = j; i < width; i++) {
                upper[j][i] *= scale[j];
            }
            for (int i = j + 1; i < width; i++) {
                addFrom(i, upper[i], -upper[j][i], upper[j]);
            }
        }
        each(matrix.length, row -> {
            double[] values = matrix[row];
            for (int j = 0; j < width; j++) {
                values[j] *= scale[j];
                addFrom(j + 1, values, -values[j], upper[j]);
            }
        });
    }
}
