package org.plant4j.metric;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Where a document's gold labels stand in its ranking: all that a ranking metric needs to know. Gold labels that were
 * not ranked, because the model does not know them, have no place but still count.
 */
public final class GoldRanks {

    private final int[] labels; // best first, those without a rank last
    private final int[] ranks; // from 1, ascending; shorter than labels where some have no rank

    private GoldRanks(int[] labels, int[] ranks) {
        this.labels = labels;
        this.ranks = ranks;
    }

    /** Ranks among all scored labels. */
    public static GoldRanks of(float[] scores, LabelSet gold) {
        return among(IntStream.range(0, scores.length).toArray(), scores, gold);
    }

    /** Ranks among some of the labels only; gold labels at or beyond the scores' length stay without a rank. */
    static GoldRanks among(int[] candidates, float[] scores, LabelSet gold) {
        // Sorts the gold labels alone, then counts for each how many candidates stand before it.
        long[] keys = gold.stream()
                .filter(label -> label < scores.length)
                .mapToLong(label -> TopK.key(scores[label], label))
                .sorted()
                .toArray();
        int[] ranks = new int[keys.length];
        if (keys.length > 0) {
            long last = keys[keys.length - 1];
            for (int label : candidates) {
                long key = TopK.key(scores[label], label);
                if (key <= last) {
                    int place = Arrays.binarySearch(keys, key);
                    ranks[place >= 0 ? place : -place - 1]++;
                }
            }
        }
        Arrays.parallelPrefix(ranks, Integer::sum);
        IntStream unranked = gold.stream().filter(label -> label >= scores.length);
        return new GoldRanks(
                IntStream.concat(Arrays.stream(keys).mapToInt(key -> (int) key), unranked)
                        .toArray(),
                ranks);
    }

    /** Ranks in a list of distinct codes, best first; gold codes that it does not hold have no rank. */
    public static GoldRanks of(List<String> best, Set<String> gold) {
        int[] ranks = IntStream.range(0, best.size())
                .filter(i -> gold.contains(best.get(i)))
                .map(i -> i + 1)
                .toArray();
        return of(ranks, gold.size());
    }

    /** From ranks that were stored; {@code gold} counts the labels without a rank too. */
    static GoldRanks of(int[] ranks, int gold) {
        if (ranks.length > gold) {
            throw new IllegalArgumentException("ranks: " + ranks.length + " (expected: <= " + gold + ")");
        }
        return new GoldRanks(new int[gold], Arrays.stream(ranks).sorted().toArray());
    }

    /** How many gold labels there are, ranked or not. */
    public int goldCount() {
        return labels.length;
    }

    /** How many of them have a rank. */
    public int rankedCount() {
        return ranks.length;
    }

    /** The rank of the i-th best gold label, counted from 1. */
    public int rank(int i) {
        return ranks[i];
    }

    /** The i-th best gold label; those without a rank come last. */
    public int label(int i) {
        return labels[i];
    }

    /** How many gold labels are among the k best. */
    public int hits(int k) {
        int hits = 0;
        while (hits < ranks.length && ranks[hits] <= k) {
            hits++;
        }
        return hits;
    }
}
