package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.plant4j.text.Vocabulary;

/** Token counts, negative sampling by smoothed counts, and subsampling of frequent tokens. */
final class TokenSampler {

    private static final int GUIDE = 1 << 16;

    private final long[] counts;
    private final double[] cumulative; // smoothed counts of all tokens up to and including this one
    private final int[] guide = new int[GUIDE]; // where the search starts for each interval of the unit range
    private final float[] keepProbability;
    private final int distinct;

    /** Padding and unknown tokens are excluded. */
    TokenSampler(long[] counts, double smoothing, double subsample) {
        this.counts = counts.clone();
        Arrays.fill(this.counts, 0, Vocabulary.UNKNOWN + 1, 0);
        distinct = (int) Arrays.stream(this.counts).filter(count -> count > 0).count();
        cumulative = new double[counts.length];
        double sum = 0;
        for (int token = 0; token < counts.length; token++) {
            sum += this.counts[token] == 0 ? 0 : Math.pow((double) this.counts[token], smoothing);
            cumulative[token] = sum;
        }
        double total = Arrays.stream(this.counts).sum();
        keepProbability = new float[counts.length];
        for (int token = 0; token < counts.length; token++) {
            double excess = this.counts[token] / (subsample * total);
            keepProbability[token] = subsample == 0 ? 1 : (float) Math.min(1, (Math.sqrt(excess) + 1) / excess);
        }
        int first = 0;
        for (int i = 0; i < GUIDE && sum > 0; i++) {
            while (cumulative[first] <= i * sum / GUIDE) {
                first++;
            }
            guide[i] = first;
        }
    }

    long count(int token) {
        return counts[token];
    }

    /** Number of distinct tokens that occur. */
    int distinct() {
        return distinct;
    }

    /** Whether to skip this occurrence of a token. */
    boolean isSubsampled(int token, SplittableRandom random) {
        return keepProbability[token] < 1 && random.nextDouble() >= keepProbability[token];
    }

    /** A random token, with probability proportional to its smoothed count. */
    int sampleNegative(SplittableRandom random) {
        double point = random.nextDouble();
        int token = guide[(int) (point * GUIDE)];
        while (cumulative[token] <= point * cumulative[cumulative.length - 1]) {
            token++;
        }
        return token;
    }
}
