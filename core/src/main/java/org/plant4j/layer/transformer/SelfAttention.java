package org.plant4j.layer.transformer;

import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.FusedLinear;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;

/**
 * BERT's multi-head self-attention, softmax(Q Kᵀ / √d) V, with libtorch's fused kernels where they are faster.
 *
 * <p>Vaswani et al.: Attention Is All You Need, NIPS 2017, equation 1. Parameters are named as in Hugging Face's {@code
 * BertAttention}.
 */
public final class SelfAttention extends Layer {

    private final int heads;
    private final FusedLinear projections; // queries, keys, values
    private final Linear outputProjection;
    private final ScaledDotProduct attention;

    public SelfAttention(int size, int heads, double dropout, Compute compute) {
        this.heads = heads;
        attention = new ScaledDotProduct(dropout, compute);
        projections = submodule(
                "projections",
                new FusedLinear(
                        submodule("self.query", new Linear(size, size, true, compute)),
                        submodule("self.key", new Linear(size, size, true, compute)),
                        submodule("self.value", new Linear(size, size, true, compute))));
        outputProjection = submodule("output.dense", new Linear(size, size, true, compute));
    }

    /** (N, M, H) to (N, M, H); {@code mask} (N, 1, 1, M) is true for tokens to attend to, empty for all of them. */
    public Tensor forward(Tensor x, Optional<Tensor> mask, boolean training) {
        List<Tensor> projected = projections.forward(x, attention.int8ResultType()).stream()
                .map(each -> ScaledDotProduct.splitHeads(each, heads))
                .toList();
        Tensor attended = attention.forward(projected.get(0), projected.get(1), projected.get(2), mask, training);
        return outputProjection.forward(ScaledDotProduct.joinHeads(attended));
    }
}
