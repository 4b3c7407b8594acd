package org.plant4j.rank;

import org.plant4j.tensor.Compute;
import org.plant4j.tensor.ParallelTasks;

/**
 * Static attention of one document: for each label, the tokens of the document that have a gain.
 *
 * @param starts by label, into the other arrays, and their number
 * @param positions of the tokens in the document
 * @param gains of the tokens
 * @param kind how gains become weights
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DocumentAttention(int[] starts, int[] positions, float[] gains, StaticAttention.Weights kind) {

    /** Token logits of one label. */
    @FunctionalInterface
    public interface TokenLogits {
        float at(int position);
    }

    /**
     * The pairs of a document in a counting sort by label. Blocks of tokens are counted at the same time, and then placed at the
     * same time.
     */
    static DocumentAttention of(
            long[] document,
            int blocks,
            PairsByToken pairs,
            int labels,
            StaticAttention.Weights kind,
            Compute compute) {
        int[][] ends =
                new int[blocks][labels]; // first the pairs of each label in a block, then where the next is placed
        forEachBlock(document, blocks, compute, (block, from, to) -> {
            int[] counts = ends[block];
            pairs.forEach(document, from, to, (pair, position) -> counts[pairs.labels()[pair]]++);
        });
        int[] starts = new int[labels + 1];
        int total = 0;
        for (int label = 0; label < labels; label++) {
            starts[label] = total;
            for (int[] ofBlock : ends) {
                int count = ofBlock[label];
                ofBlock[label] = total;
                total += count;
            }
        }
        starts[labels] = total;
        int[] positions = new int[total];
        float[] gains = new float[total];
        forEachBlock(document, blocks, compute, (block, from, to) -> {
            int[] next = ends[block];
            pairs.forEach(document, from, to, (pair, position) -> {
                int at = next[pairs.labels()[pair]]++;
                positions[at] = position;
                gains[at] = pairs.gains()[pair];
            });
        });
        return new DocumentAttention(starts, positions, gains, kind);
    }

    @FunctionalInterface
    private interface BlockTask {
        void run(int block, int from, int to);
    }

    private static void forEachBlock(long[] document, int blocks, Compute compute, BlockTask task) {
        ParallelTasks.forEach(
                compute,
                blocks,
                () -> block -> task.run(block, start(document, block, blocks), start(document, block + 1, blocks)));
    }

    private static int start(long[] document, int block, int blocks) {
        return (int) ((long) document.length * block / blocks);
    }

    /** The logit of a label: its token logits, averaged by the attention weights. */
    public float logit(int label, TokenLogits tokenLogits) {
        float sum = 0;
        float weighted = 0;
        for (int i = starts[label]; i < starts[label + 1]; i++) {
            sum += gains[i];
            weighted += gains[i] * tokenLogits.at(positions[i]);
        }
        return kind == StaticAttention.Weights.NORMALIZED ? weighted / (1 + sum) : weighted;
    }
}
