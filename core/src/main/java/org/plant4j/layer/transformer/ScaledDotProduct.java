package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Precision;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.LabelAttention;
import org.plant4j.tensor.Compute;

/** Softmax(Q Kᵀ / √d) V for several heads, with libtorch's fused kernels where they are faster. */
record ScaledDotProduct(Dropout dropout, boolean fused) {

    ScaledDotProduct(double dropout, Compute compute) {
        // On the CPU the fused kernel takes half the time in float32 but 20 times as long in bfloat16.
        this(new Dropout(dropout), compute.cuda() || compute.precision() != Precision.BFLOAT16);
    }

    /**
     * Queries (N, heads, Q, d), keys and values (N, heads, K, d) to (N, heads, Q, d); {@code mask}, which fits (N, heads, Q,
     * K), is true for keys to attend to, empty for all of them.
     */
    Tensor forward(Tensor q, Tensor k, Tensor v, Optional<Tensor> mask, boolean training) {
        return fused
                ? torch.scaled_dot_product_attention(
                        q,
                        k,
                        v,
                        mask.map(TensorOptional::new).orElseGet(TensorOptional::new),
                        training ? dropout.rate() : 0,
                        false,
                        new DoubleOptional(),
                        false)
                : torch.matmul(dropout.forward(weights(q, k, mask), training), v);
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
