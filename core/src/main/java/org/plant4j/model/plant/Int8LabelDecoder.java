package org.plant4j.model.plant;

import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.DocumentAttention;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Int8Weights;
import org.plant4j.tensor.ParallelTasks;

/** Approximate logits by products in int8, whose results (T, L) are float32. Labels are packed in chunks. */
final class Int8LabelDecoder implements ApproximateLogits.LabelDecoder {

    /** With fewer, products are slow; with more, scores do not stay in the cache, and their memory is mapped again each time. */
    private static final long LABELS_PER_CHUNK = 256;

    /** Packed rows of a range of labels: the queries of each source, and the weights. */
    private record Chunk(long first, long count, List<Int8Weights> queries, Int8Weights weights) {}

    private final List<ApproximateLogits.Source> sources;
    private final AttentionScales scales;
    private final int nullTokens;
    private final Compute compute;
    private final List<Chunk> chunks = new ArrayList<>();

    Int8LabelDecoder(
            List<ApproximateLogits.Source> sources,
            ReducedRows weights,
            AttentionScales scales,
            int nullTokens,
            Compute compute) {
        this.sources = sources;
        this.scales = scales;
        this.nullTokens = nullTokens;
        this.compute = compute;
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
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

    @Override
    public void addLogits(Tensor sum, ApproximateLogits.Inputs inputs) {
        List<Tensor> projected = inputs.projected().stream()
                .map(each -> each.to(torch.ScalarType.Float))
                .toList();
        ParallelTasks.forEach(compute, chunks.size(), () -> index -> {
            Chunk chunk = chunks.get(index);
            Tensor tokenLogits = chunk.weights.multiply(projected.get(sources.size())); // (T, L)
            Tensor logits = sum.narrow(0, chunk.first, chunk.count);
            if (inputs.staticAttention() != null) {
                logits.addcmul_(staticLogits(tokenLogits, chunk, inputs.staticAttention()), scales.value(1));
            }
            for (int i = 0; i < sources.size(); i++) {
                Tensor scores = chunk.queries.get(i).multiply(projected.get(i)); // (T, L)
                logits.addcmul_(
                        ApproximateLogits.attend(
                                scores,
                                tokenLogits,
                                0,
                                nullTokens,
                                inputs.bounded().get(i)),
                        scales.value(sources.get(i).scale()));
            }
        });
    }

    private static Tensor staticLogits(Tensor tokenLogits, Chunk chunk, DocumentAttention attention) {
        FloatBuffer values = tokenLogits.createBuffer();
        int count = (int) chunk.count;
        float[] logits = new float[count];
        for (int i = 0; i < count; i++) {
            int label = i;
            logits[i] = attention.logit((int) chunk.first + label, position -> values.get(position * count + label));
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
