package org.plant4j.pretrain.vectors;

import java.util.Comparator;
import java.util.stream.IntStream;

/** Eigenvalues of a small symmetric matrix, falling, and for each its eigenvector as a row; by Jacobi's rotations. */
final class SymmetricEigen {

    private static final int MAX_SWEEPS = 60;

    private final double[] values;
    private final double[][] vectors;

    private SymmetricEigen(double[] values, double[][] vectors) {
        this.values = values;
        this.vectors = vectors;
    }

    double[] values() {
        return values;
    }

    double[][] vectors() {
        return vectors;
    }

    /** The matrix is used up. */
    static SymmetricEigen of(double[][] matrix) {
        int size = matrix.length;
        double[][] vectors = new double[size][size];
        double squares = 0;
        for (int i = 0; i < size; i++) {
            vectors[i][i] = 1;
            for (double value : matrix[i]) {
                squares += value * value;
            }
        }
        double negligible = 1e-17 * Math.sqrt(squares);
        boolean turned = true;
        for (int sweep = 0; turned && sweep < MAX_SWEEPS; sweep++) {
            turned = false;
            for (int p = 0; p < size; p++) {
                for (int q = p + 1; q < size; q++) {
                    if (Math.abs(matrix[p][q]) > negligible) {
                        turn(matrix, vectors, p, q);
                        turned = true;
                    }
                }
            }
        }
        int[] order = IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -matrix[i][i]))
                .mapToInt(i -> i)
                .toArray();
        return new SymmetricEigen(
                IntStream.of(order).mapToDouble(i -> matrix[i][i]).toArray(),
                IntStream.of(order).mapToObj(i -> vectors[i]).toArray(double[][]::new));
    }

    /** Turns the plane of axes p and q until their product is zero. */
    private static void turn(double[][] matrix, double[][] vectors, int p, int q) {
        double ratio = (matrix[q][q] - matrix[p][p]) / (2 * matrix[p][q]);
        double tangent = Math.copySign(1 / (Math.abs(ratio) + Math.sqrt(ratio * ratio + 1)), ratio);
        double cosine = 1 / Math.sqrt(tangent * tangent + 1);
        double sine = tangent * cosine;
        turn(matrix[p], matrix[q], cosine, sine);
        for (double[] row : matrix) {
            double x = row[p];
            double y = row[q];
            row[p] = cosine * x - sine * y;
            row[q] = sine * x + cosine * y;
        }
        matrix[p][q] = 0;
        matrix[q][p] = 0;
        turn(vectors[p], vectors[q], cosine, sine);
    }

    private static void turn(double[] p, double[] q, double cosine, double sine) {
        for (int k = 0; k < p.length; k++) {
            double x = p[k];
            double y = q[k];
            p[k] = cosine * x - sine * y;
            q[k] = sine * x + cosine * y;
        }
    }
}
