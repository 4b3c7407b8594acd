package org.plant4j.metric;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.plant4j.Thresholds;
import org.plant4j.support.Arguments;

/** An immutable set of label ids in ascending order: the gold or predicted labels of a document. */
public final class LabelSet {

    public static final LabelSet EMPTY = new LabelSet(new int[0]);

    private final int[] labels;

    private LabelSet(int[] labels) {
        this.labels = labels;
    }

    /** The ids may be in any order and may contain duplicates. */
    public static LabelSet of(int... labels) {
        int[] distinct = Arrays.stream(labels).sorted().distinct().toArray();
        if (distinct.length > 0) {
            Arguments.atLeast(0, "label", distinct[0]);
        }
        return new LabelSet(distinct);
    }

    public static LabelSet of(Collection<Integer> labels) {
        return of(labels.stream().mapToInt(Integer::intValue).toArray());
    }

    /** The labels whose score is at least their threshold. */
    public static LabelSet predicted(float[] scores, Thresholds thresholds) {
        int tuned = thresholds.labelCount();
        Arguments.check(tuned == 0 || tuned == scores.length, "scores", scores.length, "" + tuned);
        int[] predicted = new int[16];
        int size = 0;
        for (int label = 0; label < scores.length; label++) {
            if (scores[label] >= thresholds.threshold(label)) {
                if (size == predicted.length) {
                    predicted = Arrays.copyOf(predicted, 2 * size);
                }
                predicted[size++] = label;
            }
        }
        return of(Arrays.copyOf(predicted, size));
    }

    public boolean contains(int label) {
        return Arrays.binarySearch(labels, label) >= 0;
    }

    public int size() {
        return labels.length;
    }

    public boolean isEmpty() {
        return labels.length == 0;
    }

    /** The id at a position in ascending order. */
    public int get(int position) {
        return labels[position];
    }

    /** The largest id, or -1 if the set is empty. */
    public int max() {
        return isEmpty() ? -1 : labels[labels.length - 1];
    }

    /** The ids in ascending order. */
    public IntStream stream() {
        return Arrays.stream(labels);
    }

    public int[] toArray() {
        return labels.clone();
    }

    public LabelSet filter(IntPredicate keep) {
        return new LabelSet(stream().filter(keep).toArray());
    }

    /** The number of labels in both sets. */
    public int intersectionSize(LabelSet other) {
        int size = 0;
        for (int i = 0, j = 0; i < labels.length && j < other.labels.length; ) {
            int order = Integer.compare(labels[i], other.labels[j]);
            size += order == 0 ? 1 : 0;
            i += order <= 0 ? 1 : 0;
            j += order >= 0 ? 1 : 0;
        }
        return size;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelSet set && Arrays.equals(labels, set.labels);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(labels);
    }

    @Override
    public String toString() {
        return Arrays.toString(labels);
    }
}
