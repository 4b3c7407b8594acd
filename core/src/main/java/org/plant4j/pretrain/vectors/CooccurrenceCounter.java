package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.stream.LongStream;
import org.plant4j.text.Vocabulary;

/**
 * Counts co-occurrences of tokens within a window, a pair at distance d with weight 1/d, in one pass and bounded memory.
 *
 * <p>Pairs are collected in a run; a full run is sorted and merged into the sorted table. Weights are integers, in units of
 * one over the least common multiple of all distances, so that sums are exact in any order. If the table exceeds {@code
 * maxPairs}, the pairs with the smallest weights are removed until half of it is free, as in lossy counting; the total
 * weight of each token stays exact.
 */
final class CooccurrenceCounter {

    static final int MAX_WINDOW = 20;

    /** Entries per run: 64 MB, twice that while sorting. */
    static final int RUN = 1 << 23;

    private static final int DISTANCE_BITS = 5;
    private static final int TOKEN_BITS = 29;
    private static final long TOKEN_MASK = (1L << TOKEN_BITS) - 1;

    private final int window;
    private final int maxPairs;
    private final long[] weightAt; // by distance
    private final long[] totals; // by token

    private long[] run; // first token, second token, distance, packed
    private int pending;

    private long[] pairs = new long[0]; // first token, second token, packed; ascending
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
            long remainder = x % y;
            x = y;
            y = remainder;
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

    /** Each token is a context of the other, so a token next to itself counts twice. */
    private void count(int token, int other, int distance) {
        if (token <= Vocabulary.UNKNOWN || other <= Vocabulary.UNKNOWN) {
            return;
        }
        totals[token] += weightAt[distance];
        totals[other] += weightAt[distance];
        long pair = (long) Math.min(token, other) << TOKEN_BITS | Math.max(token, other);
        append(pair << DISTANCE_BITS | distance);
        if (token == other) {
            append(pair << DISTANCE_BITS | distance);
        }
    }

    private void append(long entry) {
        if (pending == run.length) {
            merge();
        }
        run[pending++] = entry;
    }

    /** Merges the last run and frees its memory. */
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
        while (next >= 0) { // backwards, so that the run is merged in place
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
            int newCapacity = (int) Math.max(capacity, Math.min(pairs.length * 3L / 2, (long) maxPairs + run.length));
            pairs = Arrays.copyOf(pairs, newCapacity);
            weights = Arrays.copyOf(weights, newCapacity);
        }
    }

    private void prune() {
        for (long threshold = weightAt[window]; size > maxPairs / 2; threshold *= 2) {
            int kept = 0;
            for (int i = 0; i < size; i++) {
                if (weights[i] > threshold) {
                    pairs[kept] = pairs[i];
                    weights[kept++] = weights[i];
                }
            }
            size = kept;
        }
    }

    /** Number of distinct pairs in the table, sorted by first and then second token, where first <= second. */
    int size() {
        return size;
    }

    int first(int pair) {
        return (int) (pairs[pair] >>> TOKEN_BITS);
    }

    int second(int pair) {
        return (int) (pairs[pair] & TOKEN_MASK);
    }

    /** Weight of a pair, in the same unit as {@link #total}. */
    long weight(int pair) {
        return weights[pair];
    }

    /** Weight of all pairs of a token, including removed ones. */
    long total(int token) {
        return totals[token];
    }

    int vocabularySize() {
        return totals.length;
    }
}
