package org.plant4j.model.description;

import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.LabelAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Int8Weights;
import org.plant4j.tensor.LabelSelection;

/** Encoded descriptions in int8, for the logits of label ranges without gradients. */
final class QuantizedDescriptions implements AutoCloseable {

    /** With fewer, products are slow; with more, the scores of a document do not stay in the cache. */
    private static final int DESCRIPTION_TOKENS_PER_CHUNK = 512;

    /** Sums of the exponentials of scores up to this, positive and negative, neither overflow nor vanish. */
    private static final double MAX_SCORE = 80;

    private final LabelChunks<Chunk> chunks;

    /** Packs the descriptions of all labels. */
    QuantizedDescriptions(DescriptionQueries descriptions) {
        int labels = (int) descriptions.tensor().size(0);
        int perChunk = Math.max(
                1, DESCRIPTION_TOKENS_PER_CHUNK / (int) descriptions.tensor().size(1));
        chunks = new LabelChunks<>(labels, perChunk, range -> pack(range, descriptions.select(range)));
    }

    private static Chunk pack(LabelSelection.Range range, DescriptionQueries descriptions) {
        try (PointerScope scope = new PointerScope()) {
            Tensor queries = descriptions.queries();
            double highest = queries.square().sum(-1L).max().sqrt().item_double(); // since keys have length 1
            Tensor tokenWeights = descriptions.tokenWeights().contiguous();
            tokenWeights.retainReference(); // outlives the scope
            return new Chunk(
                    range,
                    highest <= MAX_SCORE,
                    Int8Weights.forManyRows(queries, Optional.empty()),
                    Int8Weights.forManyRows(descriptions.values(), Optional.empty()),
                    tokenWeights);
        }
    }

    /**
     * Queries and values of L descriptions of M tokens, (L M, d), and the token weights (L, M).
     *
     * @param bounded whether no score is above {@link #MAX_SCORE}
     */
    private record Chunk(
            LabelSelection.Range labels, boolean bounded, Int8Weights queries, Int8Weights values, Tensor tokenWeights)
            implements LabelChunks.Chunk {

        Tensor logits(Tensor documentKeys, Tensor documentValues, Batch windows) {
            Tensor weights = weights(queries.multiply(documentKeys), windows); // (N, T, L M)
            Tensor sums = weights.sum(1L);
            Tensor attended =
                    values.multiply(documentValues).mul_(weights).sum(1L).div_(sums); // (N, L M)
            return attended.view(attended.size(0), tokenWeights.size(0), tokenWeights.size(1))
                    .mul_(tokenWeights)
                    .sum(-1L);
        }

        /** Scores to attention weights, not divided by their sum. */
        private Tensor weights(Tensor scores, Batch windows) {
            if (!bounded) {
                return LabelAttention.maskedSoftmax(scores, windows.mask());
            }
            Tensor weights = scores.exp_(); // a third of the time of a softmax
            return windows.isPadded() ? weights.mul_(windows.mask().unsqueeze(-1)) : weights;
        }

        @Override
        public void close() {
            queries.close();
            values.close();
            tokenWeights.close();
        }
    }

    /** Logits (N, L) of a label range, given keys and values (N, T, d) of windows. */
    Tensor logits(Tensor keys, Tensor values, Batch windows, LabelSelection.Range range) {
        return chunks.logits(range, chunk -> chunk.logits(keys, values, windows));
    }

    @Override
    public void close() {
        chunks.close();
    }
}
