package org.plant4j.statistics;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The paired, two-sided approximate randomization test: if two runs were alike, swapping their results on random
 * documents would often give a difference as large as the one seen. Equal seeds give equal p-values.
 */
public record ApproximateRandomization(int permutations, long seed) {

    /** Sums in another order may differ in the last bits; such a difference is still "as large". */
    private static final double ROUNDING = 1e-12;

    public ApproximateRandomization {
        if (permutations < 1) {
            throw new IllegalArgumentException("permutations: " + permutations + " (expected: >= 1)");
        }
    }

    /** 10,000 permutations. */
    public static ApproximateRandomization standard(long seed) {
        return new ApproximateRandomization(10_000, seed);
    }

    /** The p-value of a difference between two sides over the same documents. */
    public double pValue(Ratio first, Ratio second) {
        return pValues(List.of(new PairedRatio(first, second)), first.documents())[0];
    }

    /** (r + 1) / (R + 1) for each statistic, r of the R permutations being as far apart; all see the same swaps. */
    public double[] pValues(List<? extends PairedStatistic> statistics, int documents) {
        double[] seen = statistics.stream()
                .mapToDouble(statistic -> Math.abs(statistic.first() - statistic.second()))
                .toArray();
        int[] asLarge = IntStream.range(0, permutations)
                .parallel()
                .mapToObj(permutation -> {
                    long[] swapped = new SplittableRandom(seed + permutation)
                            .longs(documents / Long.SIZE + 1L)
                            .toArray();
                    return IntStream.range(0, seen.length)
                            .map(i -> Math.abs(statistics.get(i).difference(swapped)) >= seen[i] - ROUNDING ? 1 : 0)
                            .toArray();
                })
                .reduce(new int[seen.length], ApproximateRandomization::sum);
        return IntStream.of(asLarge)
                .mapToDouble(r -> (r + 1.0) / (permutations + 1.0))
                .toArray();
    }

    private static int[] sum(int[] a, int[] b) {
        return IntStream.range(0, a.length).map(i -> a[i] + b[i]).toArray();
    }
}
