package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.LabelAttention;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;

/** Softmax(Q Kᵀ / √d) V for several heads, with libtorch's fused kernels where they are faster. */
record ScaledDotProduct(Dropout dropout, boolean fused) {

    /** Exponentials of scores up to this, positive or negative, have sums that neither overflow nor vanish. */
    private static final double MAX_SCORE = 80;

    /** Scores of two bytes that fit into the cache of a core, about a megabyte. */
    private static final long SCORES_AT_A_TIME = 1 << 19;

    ScaledDotProduct(double dropout, Compute compute) {
        this(new Dropout(dropout), isFused(compute));
    }

    /** On a CPU the fused kernel takes half the time in float32 but 20 times as long in bfloat16. */
    private static boolean isFused(Compute compute) {
        return switch (compute.precision()) {
            case FLOAT32 -> true;
            case BFLOAT16 -> compute.cuda();
            case INT8 -> !Engine.hasFastBfloat16();
        };
    }

    /** The type that queries, keys and values of int8 products are converted to. */
    torch.ScalarType int8ResultType() {
        return fused ? torch.ScalarType.Float : torch.ScalarType.BFloat16;
    }

    /**
     * Queries (N, heads, Q, d), keys and values (N, heads, K, d) to (N, heads, Q, d); {@code mask}, which fits (N, heads, Q,
     * K), is true for keys to attend to, empty for all of them.
     */
    Tensor forward(Tensor q, Tensor k, Tensor v, Optional<Tensor> mask, boolean training) {
        if (fused) {
            return torch.scaled_dot_product_attention(
                    q,
                    k,
                    v,
                    mask.map(TensorOptional::new).orElseGet(TensorOptional::new),
                    training ? dropout.rate() : 0,
                    false,
                    new DoubleOptional(),
                    false);
        }
        return training || GradMode.is_enabled() || !isBounded(q, k)
                ? torch.matmul(dropout.forward(weights(q, k, mask), training), v)
                : predictionInBfloat16(q, k, v, mask);
    }

    /** Whether no score can exceed {@link #MAX_SCORE}, by the longest query and the longest key of each head. */
    private static boolean isBounded(Tensor q, Tensor k) {
        return longest(q).mul(longest(k)).max().item_double() <= MAX_SCORE * Math.sqrt((double) q.size(3));
    }

    /** The greatest length of the vectors of each head: (N, heads, M, d) to (heads). */
    private static Tensor longest(Tensor vectors) {
        return vectors.square()
                .sum(new long[] {-1}, false, new ScalarTypeOptional(torch.ScalarType.Float))
                .amax(new long[] {0, 2}, false)
                .sqrt();
    }

    /**
     * The same for bounded scores in bfloat16 without gradients, for a CPU: a few rows of the batch at a time, so that their
     * scores stay in the cache, without subtracting the highest score of each query, which would take as long as a product,
     * and with the division by the sum of the weights last, where it has the least to do.
     */
    private static Tensor predictionInBfloat16(Tensor q, Tensor k, Tensor v, Optional<Tensor> mask) {
        Tensor queries = q.to(torch.ScalarType.BFloat16)
                .mul(new Scalar(1 / Math.sqrt((double) q.size(3))))
                .contiguous();
        Tensor keys = k.to(torch.ScalarType.BFloat16).contiguous().transpose(-2, -1);
        Tensor values = v.to(torch.ScalarType.BFloat16);
        long rows = q.size(0);
        long scoresPerRow = q.size(1) * q.size(2) * k.size(2);
        long rowsAtATime = Math.max(1, SCORES_AT_A_TIME / scoresPerRow);
        Tensor result = torch.empty(
                        new long[] {rows, q.size(2), q.size(1), q.size(3)}, q.options(), new MemoryFormatOptional())
                .transpose(1, 2); // heads are joined without a copy
        for (long first = 0; first < rows; first += rowsAtATime) {
            long start = first;
            long count = Math.min(rowsAtATime, rows - first);
            try (PointerScope scope = new PointerScope()) {
                Tensor attended = attend(
                        queries.narrow(0, start, count),
                        keys.narrow(0, start, count),
                        values.narrow(0, start, count),
                        mask.map(whole -> whole.narrow(0, start, count)));
                result.narrow(0, start, count).copy_(attended);
            }
        }
        return result;
    }

    private static Tensor attend(Tensor queries, Tensor keys, Tensor values, Optional<Tensor> mask) {
        long rows = queries.size(0);
        long heads = queries.size(1);
        Tensor scores = torch.bmm(queries.flatten(0, 1), keys.flatten(0, 1)); // (n heads, Q, K)
        Tensor weights = scores.exp_();
        mask.ifPresent(real ->
                weights.view(rows, heads, weights.size(1), weights.size(2)).mul_(real));
        Tensor sums = weights.sum(new long[] {-1}, true, new ScalarTypeOptional(torch.ScalarType.Float));
        return torch.bmm(weights, values.flatten(0, 1)).div_(sums).view(rows, heads, queries.size(2), values.size(3));
    }

    /** The attention weights (N, heads, Q, K). */
    static Tensor weights(Tensor q, Tensor k, Optional<Tensor> mask) {
        Tensor scores = torch.matmul(q, k.transpose(-2, -1)).mul(new Scalar(1 / Math.sqrt((double) q.size(3))));
        Tensor masked = mask.map(
                        real -> scores.masked_fill(real.logical_not(), new Scalar(LabelAttention.MASKED_SCORE)))
                .orElse(scores);
        return torch.softmax(masked, -1);
    }

    /** (N, M, H) to (N, heads, M, H / heads). */
    static Tensor splitHeads(Tensor x, int heads) {
        return x.view(x.size(0), x.size(1), heads, x.size(2) / heads).transpose(1, 2);
    }

    /** The inverse of {@link #splitHeads}. */
    static Tensor joinHeads(Tensor x) {
        return x.transpose(1, 2).reshape(x.size(0), x.size(2), x.size(1) * x.size(3));
    }
}
