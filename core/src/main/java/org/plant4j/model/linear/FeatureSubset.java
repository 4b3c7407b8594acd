package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Some vectors of a collection with their features renumbered from 0, so that dense vectors over them are short.
 *
 * @param features the original index of each feature, in ascending order
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FeatureSubset(int[] features, SparseVector[] vectors) {

    static FeatureSubset of(SparseVector[] collection, int[] members) {
        BitSet used = new BitSet();
        for (int member : members) {
            for (int feature : collection[member].indices()) {
                used.set(feature);
            }
        }
        int[] features = used.stream().toArray();
        return new FeatureSubset(
                features,
                Arrays.stream(members)
                        .parallel()
                        .mapToObj(member -> renumber(collection[member], features))
                        .toArray(SparseVector[]::new));
    }

    private static SparseVector renumber(SparseVector vector, int[] features) {
        int[] indices = new int[vector.indices().length];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = Arrays.binarySearch(features, vector.indices()[i]);
        }
        return new SparseVector(indices, vector.values());
    }

    int size() {
        return features.length;
    }
}
