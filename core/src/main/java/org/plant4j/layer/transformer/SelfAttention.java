package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Precision;

/**
 * BERT's multi-head self-attention, softmax(Q Kᵀ / √d) V, with libtorch's fused kernels where they are faster.
 *
 * <p>Vaswani et al.: Attention Is All You Need, NIPS 2017, equation 1. Parameters are named as in Hugging Face's {@code
 * BertAttention}.
 */
public final class SelfAttention extends Layer {

    private final int heads;
    private final Linear query;
    private final Linear key;
    private final Linear value;
    private final Linear outputProjection;
    private final Dropout dropout;
    private final boolean unfused;

    public SelfAttention(int size, int heads, double dropout, Compute compute) {
        this.heads = heads;
        this.dropout = new Dropout(dropout);
        // On the CPU the fused kernel takes half the time in float32 but 20 times as long in bfloat16.
        this.unfused = !compute.cuda() && compute.precision() == Precision.BFLOAT16;
        query = submodule("self.query", new Linear(size, size, true, compute));
        key = submodule("self.key", new Linear(size, size, true, compute));
        value = submodule("self.value", new Linear(size, size, true, compute));
        outputProjection = submodule("output.dense", new Linear(size, size, true, compute));
    }

    /** (N, M, H) to (N, M, H); {@code mask} (N, 1, 1, M) is true for tokens to attend to, empty for all of them. */
    public Tensor forward(Tensor x, Optional<Tensor> mask, boolean training) {
        Tensor q = splitHeads(query.forward(x));
        Tensor k = splitHeads(key.forward(x));
        Tensor v = splitHeads(value.forward(x));
        Tensor attended = unfused ? unfused(q, k, v, mask, training) : fused(q, k, v, mask, training);
        return outputProjection.forward(attended.transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2)));
    }

    /** Queries, keys, values and result are (N, heads, M, H / heads). */
    private Tensor fused(Tensor q, Tensor k, Tensor v, Optional<Tensor> mask, boolean training) {
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

    private Tensor unfused(Tensor q, Tensor k, Tensor v, Optional<Tensor> mask, boolean training) {
        Tensor scores = torch.matmul(q, k.transpose(-2, -1)).mul(new Scalar(1 / Math.sqrt((double) q.size(3))));
        Tensor masked = mask.map(
                        real -> scores.masked_fill(real.logical_not(), new Scalar(LabelAttention.MASKED_SCORE)))
                .orElse(scores); // (N, heads, M, M)
        return torch.matmul(dropout.forward(torch.softmax(masked, -1), training), v);
    }

    /** (N, M, H) to (N, heads, M, H / heads). */
    private Tensor splitHeads(Tensor x) {
        return x.view(x.size(0), x.size(1), heads, x.size(2) / heads).transpose(1, 2);
    }
}
