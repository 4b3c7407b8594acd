package org.plant4j.model.isd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Label sets of documents in which the first label is to be predicted.
 *
 * @param documents the documents that have a set
 * @param labelSets the labels of each set; the mask has the id {@code labels}, the number of labels
 * @param targets the correct first element of each set
 */
@SuppressWarnings("ArrayRecordComponent") // lives for one step, never compared
record CompletionTask(int[] documents, int[][] labelSets, int[] targets) {

    /** Replaces one label of each document by the mask; the label is the target (equation 9). */
    static CompletionTask missing(int[][] gold, int labels, Random random) {
        Builder builder = new Builder();
        for (int row = 0; row < gold.length; row++) {
            if (gold[row].length > 0) {
                int hidden = random.nextInt(gold[row].length);
                int[] set = gold[row].clone();
                set[hidden] = set[0];
                set[0] = labels;
                builder.add(row, set, gold[row][hidden]);
            }
        }
        return builder.build();
    }

    /** Adds a wrong label to those of each document; the mask is the target (equation 10). */
    static CompletionTask wrong(int[][] gold, int labels, Random random) {
        Builder builder = new Builder();
        for (int row = 0; row < gold.length; row++) {
            if (gold[row].length < labels) {
                int wrong = random.nextInt(labels);
                while (Arrays.binarySearch(gold[row], wrong) >= 0) {
                    wrong = random.nextInt(labels);
                }
                int[] set = new int[gold[row].length + 1];
                set[0] = wrong;
                System.arraycopy(gold[row], 0, set, 1, gold[row].length);
                builder.add(row, set, labels);
            }
        }
        return builder.build();
    }

    private static final class Builder {
        private final List<Integer> rows = new ArrayList<>();
        private final List<int[]> sets = new ArrayList<>();
        private final List<Integer> targets = new ArrayList<>();

        void add(int row, int[] set, int target) {
            rows.add(row);
            sets.add(set);
            targets.add(target);
        }

        CompletionTask build() {
            return new CompletionTask(
                    rows.stream().mapToInt(row -> row).toArray(),
                    sets.toArray(int[][]::new),
                    targets.stream().mapToInt(target -> target).toArray());
        }
    }
}
