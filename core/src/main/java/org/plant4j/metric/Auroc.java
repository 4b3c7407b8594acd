package org.plant4j.metric;

import java.util.Arrays;

/** The area under the ROC curve of a detector. */
public final class Auroc {

    private Auroc() {}

    /** The probability that a positive scores above a negative, ties counted half; NaN if either is missing. */
    public static double of(double[] positives, double[] negatives) {
        double[] sorted = negatives.clone();
        Arrays.sort(sorted);
        double wins = 0;
        for (double positive : positives) {
            wins += (countBelow(sorted, positive, false) + countBelow(sorted, positive, true)) / 2.0;
        }
        return wins / ((double) positives.length * sorted.length);
    }

    /** The number of values below a limit, or also those equal to it. */
    private static int countBelow(double[] sorted, double limit, boolean inclusive) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] < limit || (inclusive && sorted[middle] == limit)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
