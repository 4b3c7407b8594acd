package org.plant4j.pretrain.vectors;

import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.support.Progress;

/**
 * The greatest singular values of a large matrix, falling, and their left singular vectors as columns, found in a random
 * subspace that products with the matrix turn towards them (Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1).
 */
final class TruncatedSvd {

    /** Directions beyond those asked for, which make the last of these exact too. */
    private static final int SPARE = 10;

    private final double[][] left;
    private final double[] values;

    private TruncatedSvd(double[][] left, double[] values) {
        this.left = left;
        this.values = values;
    }

    double[][] left() {
        return left;
    }

    double[] values() {
        return values;
    }

    /** Takes 2 + 2 × {@code passes} products with the matrix; a rank above the matrix's is cut to it. */
    static TruncatedSvd of(LinearOperator matrix, int rank, int passes, long seed, Progress.Task progress) {
        int width = Math.min(rank + SPARE, matrix.columns());
        Random random = new Random(seed);
        double[][] subspace = new double[matrix.columns()][width]; // (V, width), as all that follow
        for (double[] row : subspace) {
            for (int i = 0; i < width; i++) {
                row[i] = random.nextGaussian();
            }
        }
        subspace = matrix.multiply(subspace);
        progress.advance(1);
        for (int pass = 0; pass < passes; pass++) {
            DenseRows.orthonormalize(subspace);
            subspace = matrix.multiplyTransposed(subspace);
            progress.advance(1);
            DenseRows.orthonormalize(subspace);
            subspace = matrix.multiply(subspace);
            progress.advance(1);
        }
        DenseRows.orthonormalize(subspace);
        DenseRows.orthonormalize(subspace); // the first leaves an error of the condition number's size, the second none
        SymmetricEigen small = SymmetricEigen.of(DenseRows.gram(matrix.multiplyTransposed(subspace)));
        progress.advance(1);
        int found = Math.min(rank, width);
        double[][] basis = subspace;
        double[][] left = new double[basis.length][found];
        DenseRows.each(basis.length, row -> {
            for (int i = 0; i < found; i++) {
                left[row][i] = dot(basis[row], small.vectors()[i]);
            }
        });
        double[] values = IntStream.range(0, found)
                .mapToDouble(i -> Math.sqrt(Math.max(0, small.values()[i])))
                .toArray();
        return new TruncatedSvd(left, values);
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }
}
