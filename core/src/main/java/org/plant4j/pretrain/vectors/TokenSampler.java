package org.plant4j.pretrain.vectors;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.plant4j.text.Vocabulary;

/** How often words are, and so how they are drawn against others and how often they are skipped. */
final class TokenSampler {

    private static final int GUIDE = 1 << 16;

    private final long[] counts;
    private final double[] drawn; // rising: the share of draws that fall to this word or one before
    private final int[] guide = new int[GUIDE]; // where the search for a point of the drawn begins
    private final float[] kept; // the chance not to be skipped
    private final int distinct;

    /** Padding and unknown tokens are no words. */
    TokenSampler(long[] counts, double smoothing, double subsample) {
        this.counts = counts.clone();
        Arrays.fill(this.counts, 0, Vocabulary.UNKNOWN + 1, 0);
        double total = Arrays.stream(this.counts).sum();
        drawn = new double[counts.length];
        kept = new float[counts.length];
        int met = 0;
        double sum = 0;
        for (int word = 0; word < counts.length; word++) {
            sum += this.counts[word] == 0 ? 0 : Math.pow((double) this.counts[word], smoothing);
            drawn[word] = sum;
            met += this.counts[word] > 0 ? 1 : 0;
            double excess = this.counts[word] / (subsample * total);
            kept[word] = subsample == 0 ? 1 : (float) Math.min(1, (Math.sqrt(excess) + 1) / excess);
        }
        distinct = met;
        int first = 0;
        for (int i = 0; i < GUIDE && sum > 0; i++) {
            while (drawn[first] <= i * sum / GUIDE) {
                first++;
            }
            guide[i] = first;
        }
    }

    long count(int word) {
        return counts[word];
    }

    /** Words that occur. */
    int distinct() {
        return distinct;
    }

    boolean isSubsampled(int word, SplittableRandom random) {
        return kept[word] < 1 && random.nextDouble() >= kept[word];
    }

    /** A word with the chance of its count to the power of the smoothing. */
    int sampleNegative(SplittableRandom random) {
        double point = random.nextDouble();
        int word = guide[(int) (point * GUIDE)];
        while (drawn[word] <= point * drawn[drawn.length - 1]) {
            word++;
        }
        return word;
    }
}
