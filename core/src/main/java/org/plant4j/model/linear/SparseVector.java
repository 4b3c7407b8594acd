package org.plant4j.model.linear;

/** A sparse vector: the indices of its entries in ascending order, and their values. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SparseVector(int[] indices, float[] values) {

    static SparseVector of(TfIdf.Vector features) {
        float[] values = new float[features.values().length];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) features.values()[i];
        }
        return new SparseVector(features.tokens(), values);
    }

    double dot(double[] dense) {
        double sum = 0;
        for (int i = 0; i < indices.length; i++) {
            sum += dense[indices[i]] * values[i];
        }
        return sum;
    }

    /** Adds a multiple of this vector to a dense one. */
    void addTo(double[] dense, double factor) {
        for (int i = 0; i < indices.length; i++) {
            dense[indices[i]] += factor * values[i];
        }
    }

    double squaredNorm() {
        double sum = 0;
        for (float value : values) {
            sum += (double) value * value;
        }
        return sum;
    }
}
