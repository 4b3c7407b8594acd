package org.plant4j.model.linear;

import java.util.Locale;
import java.util.function.IntUnaryOperator;
import org.plant4j.UserError;

/**
 * Sparse vectors in three arrays: the entries of row i are those from {@code starts[i]} to {@code starts[i + 1]}. Many short rows
 * take less memory than as many objects, and a pass over them reads memory in order.
 *
 * @param indices of the entries, ascending in each row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FeatureMatrix(int[] starts, int[] indices, float[] values) {

    /** The longest array of common virtual machines. */
    private static final int MAX_ENTRIES = Integer.MAX_VALUE - 8;

    static FeatureMatrix of(SparseVector... rows) {
        int[] starts = starts(rows.length, row -> rows[row].indices().length);
        FeatureMatrix matrix = new FeatureMatrix(starts, new int[starts[rows.length]], new float[starts[rows.length]]);
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(rows[row].indices(), 0, matrix.indices, starts[row], rows[row].indices().length);
            System.arraycopy(rows[row].values(), 0, matrix.values, starts[row], rows[row].values().length);
        }
        return matrix;
    }

    /** The index of the first entry of each row, and of the end. */
    static int[] starts(int rows, IntUnaryOperator length) {
        int[] starts = new int[rows + 1];
        for (int row = 0; row < rows; row++) {
            long end = (long) starts[row] + length.applyAsInt(row);
            if (end > MAX_ENTRIES) {
                throw new UserError(
                        String.format(
                                Locale.ROOT,
                                "The training documents have more than %,d features, the most that a linear model can hold",
                                MAX_ENTRIES),
                        "model",
                        "drop rare tokens with preprocessing.min_token_count, or train on fewer documents with"
                                + " preprocessing.max_training_documents");
            }
            starts[row + 1] = (int) end;
        }
        return starts;
    }

    int rows() {
        return starts.length - 1;
    }

    double dot(int row, double[] dense) {
        double sum = 0;
        for (int i = starts[row]; i < starts[row + 1]; i++) {
            sum += dense[indices[i]] * values[i];
        }
        return sum;
    }

    /** Adds a multiple of a row to a dense vector. */
    void addTo(double[] dense, int row, double factor) {
        for (int i = starts[row]; i < starts[row + 1]; i++) {
            dense[indices[i]] += factor * values[i];
        }
    }

    double squaredNorm(int row) {
        double sum = 0;
        for (int i = starts[row]; i < starts[row + 1]; i++) {
            sum += (double) values[i] * values[i];
        }
        return sum;
    }
}
