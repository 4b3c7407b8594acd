package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Some rows of a matrix with their features renumbered from 0, so that dense vectors over them are short.
 *
 * @param features the original index of each feature, in ascending order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FeatureSubset(int[] features, FeatureMatrix matrix) {

    static FeatureSubset of(FeatureMatrix matrix, int[] members) {
        BitSet used = new BitSet();
        int[] starts = new int[members.length + 1];
        for (int row = 0; row < members.length; row++) {
            int first = matrix.starts()[members[row]];
            int end = matrix.starts()[members[row] + 1];
            for (int i = first; i < end; i++) {
                used.set(matrix.indices()[i]);
            }
            starts[row + 1] = Math.addExact(starts[row], end - first);
        }
        int[] features = used.stream().toArray();
        int[] indices = new int[starts[members.length]];
        float[] values = new float[indices.length];
        for (int row = 0; row < members.length; row++) {
            int shift = matrix.starts()[members[row]] - starts[row];
            for (int i = starts[row]; i < starts[row + 1]; i++) {
                indices[i] = Arrays.binarySearch(features, matrix.indices()[i + shift]);
                values[i] = matrix.values()[i + shift];
            }
        }
        return new FeatureSubset(features, new FeatureMatrix(starts, indices, values));
    }

    int size() {
        return features.length;
    }
}
