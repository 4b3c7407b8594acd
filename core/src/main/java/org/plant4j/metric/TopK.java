package org.plant4j.metric;

import java.util.Arrays;

/** The best-scored labels, best first; ties go to the lower label index. */
public final class TopK {

    private TopK() {}

    /** The k best labels, or all of them where there are fewer. */
    public static int[] indices(float[] scores, int k) {
        if (k < 0) {
            throw new IllegalArgumentException("k: " + k + " (expected: >= 0)");
        }
        if (k >= scores.length) {
            return ranking(scores);
        }
        // A heap of the k best so far, the worst of them at the top: one comparison settles most labels.
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

    /** Every label, best first. */
    public static int[] ranking(float[] scores) {
        long[] keys = new long[scores.length];
        for (int label = 0; label < scores.length; label++) {
            keys[label] = key(scores[label], label);
        }
        return labels(keys);
    }

    /** A number that is smaller the better a label stands: score descending above, label ascending below. */
    static long key(float score, int label) {
        int bits = Float.floatToIntBits(score + 0f); // + 0f makes -0 and 0 the tie they are
        int ascending = bits ^ (bits >> 31 & Integer.MAX_VALUE); // the order of floats as an order of ints
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
