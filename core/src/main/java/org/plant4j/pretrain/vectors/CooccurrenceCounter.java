package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.plant4j.text.Vocabulary;

/**
 * Counts which words stand near which, a pair at distance d for 1/d, in one pass and bounded memory.
 *
 * <p>Pairs gather in a run; a full run is sorted and merged into the table, which is sorted too. Weights are whole
 * numbers (of the least common multiple of all distances), so that sums are exact in any order. Past {@code maxPairs}
 * the table forgets its lightest pairs until half of it is free, as lossy counting does; how much a word weighs in all
 * stays exact.
 */
final class CooccurrenceCounter {

    static final int MAX_WINDOW = 20;

    /** 64 MB of pairs, twice that while they are sorted. */
    static final int RUN = 1 << 23;

    private static final int DISTANCE_BITS = 5;
    private static final int WORD_BITS = 29;
    private static final long WORD = (1L << WORD_BITS) - 1;

    private final int window;
    private final int maxPairs;
    private final long[] weightAt; // by distance
    private final long[] totals; // by word

    private long[] run; // first word, second word, distance, packed
    private int pending;

    private long[] pairs = new long[0]; // first word, second word, packed; rising
    private long[] weights = new long[0];
    private int size;

    CooccurrenceCounter(int vocabularySize, int window, int maxPairs, int run) {
        this.window = window;
        this.maxPairs = maxPairs;
        this.run = new long[run];
        totals = new long[vocabularySize];
        long unit = LongStream.rangeClosed(1, window).reduce(1, CooccurrenceCounter::leastCommonMultiple);
        weightAt = new long[window + 1];
        Arrays.setAll(weightAt, distance -> distance == 0 ? 0 : unit / distance);
    }

    private static long leastCommonMultiple(long a, long b) {
        long x = a;
        long y = b;
        while (y != 0) {
            long rest = x % y;
            x = y;
            y = rest;
        }
        return a / x * b;
    }

    void add(int[] document) {
        for (int at = 1; at < document.length; at++) {
            for (int distance = 1; distance <= Math.min(at, window); distance++) {
                count(document[at], document[at - distance], distance);
            }
        }
    }

    /** Each word is the other's context, so that a word beside itself counts twice. */
    private void count(int word, int other, int distance) {
        if (word <= Vocabulary.UNKNOWN || other <= Vocabulary.UNKNOWN) {
            return;
        }
        totals[word] += weightAt[distance];
        totals[other] += weightAt[distance];
        long pair = (long) Math.min(word, other) << WORD_BITS | Math.max(word, other);
        append(pair << DISTANCE_BITS | distance);
        if (word == other) {
            append(pair << DISTANCE_BITS | distance);
        }
    }

    private void append(long entry) {
        if (pending == run.length) {
            merge();
        }
        run[pending++] = entry;
    }

    /** Ends the counting and gives back the run's memory. */
    void finish() {
        merge();
        run = new long[0];
    }

    private void merge() {
        Arrays.parallelSort(run, 0, pending);
        int merged = size + unseenPairs();
        reserve(merged);
        int from = size - 1;
        int to = merged - 1;
        int next = pending - 1;
        while (next >= 0) { // from behind, so that the table makes room for the run in place
            long pair = run[next] >>> DISTANCE_BITS;
            while (from >= 0 && pairs[from] > pair) {
                pairs[to] = pairs[from];
                weights[to--] = weights[from--];
            }
            long weight = from >= 0 && pairs[from] == pair ? weights[from--] : 0;
            while (next >= 0 && run[next] >>> DISTANCE_BITS == pair) {
                weight += weightAt[(int) (run[next--] & (1 << DISTANCE_BITS) - 1)];
            }
            pairs[to] = pair;
            weights[to--] = weight;
        }
        size = merged;
        pending = 0;
        if (size > maxPairs) {
            prune();
        }
    }

    private int unseenPairs() {
        int unseen = 0;
        int at = 0;
        long last = -1;
        for (int i = 0; i < pending; i++) {
            long pair = run[i] >>> DISTANCE_BITS;
            if (pair == last) {
                continue;
            }
            last = pair;
            while (at < size && pairs[at] < pair) {
                at++;
            }
            unseen += at < size && pairs[at] == pair ? 0 : 1;
        }
        return unseen;
    }

    private void reserve(int capacity) {
        if (capacity > pairs.length) {
            int roomy = (int) Math.max(capacity, Math.min(pairs.length * 3L / 2, (long) maxPairs + run.length));
            pairs = Arrays.copyOf(pairs, roomy);
            weights = Arrays.copyOf(weights, roomy);
        }
    }

    private void prune() {
        for (long light = weightAt[window]; size > maxPairs / 2; light *= 2) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (weights[i] > light) {
                    pairs[kept] = pairs[i];
                    weights[kept++] = weights[i];
                }
            }
            size = kept;
        }
    }

    /** Distinct pairs held, by rising first and then second word; the first is never above the second. */
    int size() {
        return size;
    }

    int first(int pair) {
        return (int) (pairs[pair] >>> WORD_BITS);
    }

    int second(int pair) {
        return (int) (pairs[pair] & WORD);
    }

    /** In units of one over the least common multiple of all distances, as {@link #total} is. */
    long weight(int pair) {
        return weights[pair];
    }

    /** The weight of all pairs that the word was in, forgotten ones too. */
    long total(int word) {
        return totals[word];
    }

    int vocabularySize() {
        return totals.length;
    }
}
