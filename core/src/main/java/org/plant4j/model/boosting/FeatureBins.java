package org.plant4j.model.boosting;

import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The values of features, divided into at most 64 bins each.
 *
 * @param cuts of each feature, ascending: bin b holds the values above cut b − 1 and up to cut b
 * @param bins of each feature by row
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FeatureBins(float[][] cuts, byte[][] bins) {

    private static final int MAX_BINS = 64;

    static FeatureBins of(float[][] rows) {
        int features = rows[0].length;
        float[][] cuts = new float[features][];
        byte[][] bins = new byte[features][];
        IntStream.range(0, features).parallel().forEach(feature -> {
            float[] values = new float[rows.length];
            for (int row = 0; row < values.length; row++) {
                values[row] = rows[row][feature];
            }
            cuts[feature] = cuts(values);
            bins[feature] = new byte[values.length];
            for (int row = 0; row < values.length; row++) {
                int at = Arrays.binarySearch(cuts[feature], values[row]);
                bins[feature][row] = (byte) (at < 0 ? -at - 1 : at);
            }
        });
        return new FeatureBins(cuts, bins);
    }

    int features() {
        return cuts.length;
    }

    int count(int feature) {
        return cuts[feature].length + 1;
    }

    /**
     * Cuts between neighbouring values. Of many values, half of the cuts divide the rows equally, the other half the distinct
     * values: most rows may have the same few values.
     */
    static float[] cuts(float[] values) {
        float[] sorted = values.clone();
        Arrays.sort(sorted);
        float[] distinct = new float[sorted.length];
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                distinct[count++] = sorted[i];
            }
        }
        TreeSet<Integer> at = new TreeSet<>(); // cuts below these distinct values
        if (count <= MAX_BINS) {
            IntStream.range(1, count).forEach(at::add);
        } else {
            int half = MAX_BINS / 2;
            for (int i = 1; i < half; i++) {
                at.add(Arrays.binarySearch(distinct, 0, count, sorted[(int) ((long) sorted.length * i / half)]));
                at.add((int) ((long) count * i / half));
            }
            at.remove(0);
        }
        float[] cuts = new float[at.size()];
        int next = 0;
        for (int i : at) {
            cuts[next++] = distinct[i - 1] + (distinct[i] - distinct[i - 1]) / 2;
        }
        return cuts;
    }
}
