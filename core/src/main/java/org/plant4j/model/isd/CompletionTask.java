package org.plant4j.model.isd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Label sets of documents in which the first label is to be predicted.
 *
 * @param documents the documents that have a set
 * @param labelSets the labels of each set; the number of labels stands for the mask
 * @param targets what belongs in the first place of each set
 */
@SuppressWarnings("ArrayRecordComponent")
public // lives for one step, never compared
record CompletionTask(int[] documents, int[][] labelSets, int[] targets) {

    /** Replaces one label of each document by the mask; the label is the target (equation 9). */
    static CompletionTask missing(int[][] gold, int labels, Random random) {
        Builder building = new Builder();
        for (int row = 0; row < gold.length; row++) {
            if (gold[row].length > 0) {
                int hidden = random.nextInt(gold[row].length);
                int[] set = gold[row].clone();
                set[hidden] = set[0];
                set[0] = labels;
                building.add(row, set, gold[row][hidden]);
            }
        }
        return building.build();
    }

    /** Adds a wrong label to those of each document; the mask is the target (equation 10). */
    static CompletionTask wrong(int[][] gold, int labels, Random random) {
        Builder building = new Builder();
        for (int row = 0; row < gold.length; row++) {
            if (gold[row].length < labels) {
                int wrong = random.nextInt(labels);
                while (Arrays.binarySearch(gold[row], wrong) >= 0) {
                    wrong = random.nextInt(labels);
                }
                int[] set = new int[gold[row].length + 1];
                set[0] = wrong;
                System.arraycopy(gold[row], 0, set, 1, gold[row].length);
                building.add(row, set, labels);
            }
        }
        return building.build();
    }

    private static final class Builder {
        private final List<Integer> rows = new ArrayList<>();
        private final List<int[]> sets = new ArrayList<>();
        private final List<Integer> answers = new ArrayList<>();

        void add(int row, int[] set, int answer) {
            rows.add(row);
            sets.add(set);
            answers.add(answer);
        }

        CompletionTask build() {
            return new CompletionTask(
                    rows.stream().mapToInt(row -> row).toArray(),
                    sets.toArray(int[][]::new),
                    answers.stream().mapToInt(answer -> answer).toArray());
        }
    }
}
