package org.plant4j.nn;

import java.util.Optional;
import org.bytedeco.pytorch.DoubleOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * Every token looks at every other of its row through several heads, softmax(Q Kᵀ / √d) V, by libtorch's fused kernels.
 *
 * <p>Vaswani et al.: Attention Is All You Need, 2017, equation 1; parameters are named as in BERT.
 */
public final class SelfAttention extends Layer {

    private final int heads;
    private final Linear query;
    private final Linear key;
    private final Linear value;
    private final Linear joined;
    private final double dropout;

    public SelfAttention(int size, int heads, double dropout, Compute compute) {
        this.heads = heads;
        this.dropout = new Dropout(dropout).share();
        query = part("self.query", new Linear(size, size, true, compute));
        key = part("self.key", new Linear(size, size, true, compute));
        value = part("self.value", new Linear(size, size, true, compute));
        joined = part("output.dense", new Linear(size, size, true, compute));
    }

    /** (N, M, H) to (N, M, H); {@code seen} (N, 1, 1, M) is true for tokens that may be looked at, none: for all. */
    public Tensor forward(Tensor x, Optional<Tensor> seen, boolean training) {
        Tensor attended = torch.scaled_dot_product_attention(
                split(query.forward(x)),
                split(key.forward(x)),
                split(value.forward(x)),
                seen.map(TensorOptional::new).orElseGet(TensorOptional::new),
                training ? dropout : 0,
                false,
                new DoubleOptional(),
                false); // (N, heads, M, H / heads)
        return joined.forward(attended.transpose(1, 2).reshape(x.size(0), x.size(1), x.size(2)));
    }

    private Tensor split(Tensor x) {
        return x.view(x.size(0), x.size(1), heads, x.size(2) / heads).transpose(1, 2);
    }
}
