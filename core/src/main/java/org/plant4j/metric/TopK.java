package org.plant4j.metric;

import java.util.Arrays;
import org.plant4j.support.Arguments;

/** Ranks labels by descending score; equal scores are ordered by label index. */
public final class TopK {

    private TopK() {}

    /** The top k labels, or all labels if there are fewer. */
    public static int[] indices(float[] scores, int k) {
        Arguments.atLeast(0, "k", k);
        if (k >= scores.length) {
            return ranking(scores);
        }
        // A heap of the best k so far with the worst at the root: most labels need one comparison only.
        long[] heap = new long[k];
        int size = 0;
        for (int label = 0; label < scores.length; label++) {
            long key = key(scores[label], label);
            if (size < k) {
                heap[size++] = key;
                if (size == k) {
                    for (int i = k / 2 - 1; i >= 0; i--) {
                        sink(heap, i);
                    }
                }
            } else if (k > 0 && key < heap[0]) {
                heap[0] = key;
                sink(heap, 0);
            }
        }
        return labels(heap);
    }

    /** All labels, best first. */
    public static int[] ranking(float[] scores) {
        long[] keys = new long[scores.length];
        for (int label = 0; label < scores.length; label++) {
            keys[label] = key(scores[label], label);
        }
        return labels(keys);
    }

    /** A sort key: descending score in the upper 32 bits, ascending label in the lower 32 bits. */
    static long key(float score, int label) {
        int bits = Float.floatToIntBits(score + 0f); // + 0f: -0 and 0 are equal scores
        int ascending = bits ^ (bits >> 31 & Integer.MAX_VALUE); // an int that orders like the float
        return (long) ~ascending << 32 | label;
    }

    private static int[] labels(long[] keys) {
        Arrays.sort(keys);
        int[] labels = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            labels[i] = (int) keys[i];
        }
        return labels;
    }

    private static void sink(long[] heap, int from) {
        int parent = from;
        for (int child = 2 * parent + 1; child < heap.length; child = 2 * parent + 1) {
            if (child + 1 < heap.length && heap[child + 1] > heap[child]) {
                child++;
            }
            if (heap[parent] >= heap[child]) {
                return;
            }
            long key = heap[parent];
            heap[parent] = heap[child];
            heap[child] = key;
            parent = child;
        }
    }
}
