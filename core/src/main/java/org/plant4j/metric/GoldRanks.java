package org.plant4j.metric;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * The ranks of a document's gold labels, from which all ranking metrics are computed. Gold labels outside the model's label
 * space have no rank but count as gold.
 */
public final class GoldRanks {

    private final int[] labels; // by rank, unranked labels last
    private final int[] ranks; // 1-based, ascending; shorter than labels if some are unranked

    private GoldRanks(int[] labels, int[] ranks) {
        this.labels = labels;
        this.ranks = ranks;
    }

    /** Ranks among all scored labels. */
    public static GoldRanks of(float[] scores, LabelSet gold) {
        return among(IntStream.range(0, scores.length).toArray(), scores, gold);
    }

    /** Ranks among the candidate labels only. Gold labels beyond the scores' length have no rank. */
    static GoldRanks among(int[] candidates, float[] scores, LabelSet gold) {
        // Sort the gold labels only, then count the candidates ranked before each: cheaper than a full sort.
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
                    int position = Arrays.binarySearch(keys, key);
                    ranks[position >= 0 ? position : -position - 1]++;
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

    /** Ranks in a list of distinct codes, best first. Gold codes missing from the list have no rank. */
    public static GoldRanks of(List<String> best, Set<String> gold) {
        int[] ranks = IntStream.range(0, best.size())
                .filter(i -> gold.contains(best.get(i)))
                .map(i -> i + 1)
                .toArray();
        return of(ranks, gold.size());
    }

    /** From 1-based ranks; {@code goldCount} includes unranked labels. */
    public static GoldRanks of(int[] ranks, int goldCount) {
        Arguments.check(ranks.length <= goldCount, "ranks", ranks.length, "<= " + goldCount);
        return new GoldRanks(new int[goldCount], Arrays.stream(ranks).sorted().toArray());
    }

    /** The number of gold labels, ranked or not. */
    public int goldCount() {
        return labels.length;
    }

    /** The number of gold labels that have a rank. */
    public int rankedCount() {
        return ranks.length;
    }

    /** The 1-based rank of the i-th best gold label. */
    public int rank(int i) {
        return ranks[i];
    }

    /** The i-th best gold label; unranked labels come last. */
    public int label(int i) {
        return labels[i];
    }

    /** The number of gold labels in the top k. */
    public int hits(int k) {
        int hits = 0;
        while (hits < ranks.length && ranks[hits] <= k) {
            hits++;
        }
        return hits;
    }
}
