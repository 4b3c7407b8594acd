package org.plant4j.model.plant;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Int8Weights;

/** Approximate logits by products in int8, whose results (T, L) are float32. Labels are packed in chunks. */
final class Int8LabelDecoder implements ApproximateLogits.LabelDecoder {

    /** With fewer, products are slow; with more, scores do not stay in the cache, and their memory is mapped again each time. */
    private static final long LABELS_PER_CHUNK = 256;

    /** Sums of the exponentials of scores up to this, positive and negative, neither overflow nor vanish. */
    private static final double MAX_SCORE = 80;

    /** Packed rows of a range of labels: the queries of each source, and the weights. */
    private record Chunk(long first, long count, List<Int8Weights> queries, Int8Weights weights) {}

    private final List<ApproximateLogits.Source> sources;
    private final AttentionScales scales;
    private final int nullTokens;
    private final List<Chunk> chunks = new ArrayList<>();
    private final double[] longestQueries; // of each source

    Int8LabelDecoder(
            List<ApproximateLogits.Source> sources, ReducedRows weights, AttentionScales scales, int nullTokens) {
        this.sources = sources;
        this.scales = scales;
        this.nullTokens = nullTokens;
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            longestQueries = sources.stream()
                    .mapToDouble(source -> longest(source.queries().rows()))
                    .toArray();
            long labels = weights.rows().size(0);
            for (long start = 0; start < labels; start += LABELS_PER_CHUNK) {
                long first = start;
                long count = Math.min(LABELS_PER_CHUNK, labels - first);
                chunks.add(new Chunk(
                        first,
                        count,
                        sources.stream()
                                .map(source -> pack(source.queries(), first, count))
                                .toList(),
                        pack(weights, first, count)));
            }
        }
    }

    private static Int8Weights pack(ReducedRows rows, long first, long count) {
        return Int8Weights.forManyRows(
                rows.rows().narrow(0, first, count).to(torch.ScalarType.Float), Optional.empty());
    }

    /** The length of the longest row. */
    private static double longest(Tensor rows) {
        return rows.to(torch.ScalarType.Float).square().sum(1L).max().sqrt().item_double();
    }

    @Override
    public void addLogits(
            Tensor sum, List<Tensor> inputs, StaticAttention.@Nullable DocumentAttention staticAttention) {
        boolean[] bounded = new boolean[sources.size()];
        for (int i = 0; i < bounded.length; i++) {
            bounded[i] = longestQueries[i] * longest(inputs.get(i)) <= MAX_SCORE;
        }
        for (Chunk chunk : chunks) {
            try (PointerScope scope = new PointerScope()) {
                Tensor tokenLogits = chunk.weights.multiply(inputs.get(sources.size())); // (T, L)
                Tensor logits = sum.narrow(0, chunk.first, chunk.count);
                if (staticAttention != null) {
                    logits.addcmul_(staticLogits(tokenLogits, chunk, staticAttention), scales.value(1));
                }
                for (int i = 0; i < sources.size(); i++) {
                    Tensor scores = chunk.queries.get(i).multiply(inputs.get(i)); // (T, L)
                    logits.addcmul_(
                            attend(scores, tokenLogits, bounded[i]),
                            scales.value(sources.get(i).scale()));
                }
            }
        }
    }

    /** Token logits (T, L), averaged by the softmax of scores (T, L), which are overwritten: (L). */
    private Tensor attend(Tensor scores, Tensor tokenLogits, boolean bounded) {
        Tensor nulls;
        if (bounded) { // then the exponentials of the scores themselves take half of the time
            nulls = torch.full(new long[] {1}, new Scalar((float) nullTokens), scores.options());
        } else {
            Tensor highest = scores.amax(new long[] {0}, false);
            scores.sub_(highest);
            nulls = highest.neg().exp_().mul_(new Scalar((float) nullTokens));
        }
        Tensor weights = scores.exp_();
        Tensor sums = weights.sum(0L).add_(nulls);
        return weights.mul_(tokenLogits).sum(0L).div_(sums);
    }

    private static Tensor staticLogits(Tensor tokenLogits, Chunk chunk, StaticAttention.DocumentAttention attention) {
        FloatBuffer values = tokenLogits.createBuffer();
        float[] logits = new float[(int) chunk.count];
        for (int label = 0; label < logits.length; label++) {
            int end = attention.starts()[(int) chunk.first + label + 1];
            for (int i = attention.starts()[(int) chunk.first + label]; i < end; i++) {
                logits[label] += attention.weights()[i] * values.get(attention.positions()[i] * logits.length + label);
            }
        }
        return Tensor.create(logits);
    }

    @Override
    public void close() {
        for (Chunk chunk : chunks) {
            chunk.queries.forEach(Int8Weights::close);
            chunk.weights.close();
        }
    }
}
