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
}
