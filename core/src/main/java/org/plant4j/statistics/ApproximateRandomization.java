package org.plant4j.statistics;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * Paired, two-sided approximate randomization test (Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989).
 * Under the null hypothesis the two systems are interchangeable, so each permutation swaps their results on a random half
 * of the documents; the p-value is the fraction of permutations whose difference is at least as large as the observed one.
 * The p-values are deterministic for a given seed.
 */
public final class ApproximateRandomization {

    /** Summation order changes the last bits; a difference within this tolerance counts as equally large. */
    private static final double TOLERANCE = 1e-12;

    private final int permutations;
    private final long seed;

    public ApproximateRandomization(int permutations, long seed) {
        this.permutations = Arguments.atLeast(1, "permutations", permutations);
        this.seed = seed;
    }

    /** 10,000 permutations. */
    public static ApproximateRandomization standard(long seed) {
        return new ApproximateRandomization(10_000, seed);
    }

    /** The p-value of the difference between two ratios over the same documents. */
    public double pValue(Ratio first, Ratio second) {
        return pValues(List.of(new PairedRatio(first, second)), first.documents())[0];
    }

    /**
     * One p-value per statistic: (r + 1) / (R + 1), where r of the R permutations differ at least as much as observed. All
     * statistics share the same permutations.
     */
    public double[] pValues(List<? extends PairedStatistic> statistics, int documents) {
        double[] observed = statistics.stream()
                .mapToDouble(statistic -> Math.abs(statistic.first() - statistic.second()))
                .toArray();
        int[] asLarge = IntStream.range(0, permutations)
                .parallel()
                .mapToObj(permutation -> {
                    long[] swapped = new SplittableRandom(seed + permutation)
                            .longs(documents / Long.SIZE + 1L)
                            .toArray();
                    return IntStream.range(0, observed.length)
                            .map(i ->
                                    Math.abs(statistics.get(i).difference(swapped)) >= observed[i] - TOLERANCE ? 1 : 0)
                            .toArray();
                })
                .reduce(new int[observed.length], ApproximateRandomization::sum);
        return IntStream.of(asLarge)
                .mapToDouble(r -> (r + 1.0) / (permutations + 1.0))
                .toArray();
    }

    private static int[] sum(int[] a, int[] b) {
        return IntStream.range(0, a.length).map(i -> a[i] + b[i]).toArray();
    }
}
