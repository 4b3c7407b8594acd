package org.plant4j.model.linear;

/**
 * Sparse vectors in three arrays: the entries of row i are those from {@code starts[i]} to {@code starts[i + 1]}. Many short rows
 * take less memory than as many objects, and a pass over them reads memory in order.
 *
 * @param indices of the entries, ascending in each row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FeatureMatrix(int[] starts, int[] indices, float[] values) {

    static FeatureMatrix of(SparseVector... rows) {
        int[] starts = new int[rows.length + 1];
        for (int row = 0; row < rows.length; row++) {
            starts[row + 1] = Math.addExact(starts[row], rows[row].indices().length);
        }
        FeatureMatrix matrix = new FeatureMatrix(starts, new int[starts[rows.length]], new float[starts[rows.length]]);
        for (int row = 0; row < rows.length; row++) {
            System.arraycopy(rows[row].indices(), 0, matrix.indices, starts[row], rows[row].indices().length);
            System.arraycopy(rows[row].values(), 0, matrix.values, starts[row], rows[row].values().length);
        }
        return matrix;
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
