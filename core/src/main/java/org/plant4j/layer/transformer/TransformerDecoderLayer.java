package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Layer;
import org.plant4j.layer.LayerNorm;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;

/**
 * One layer of a transformer decoder without causal mask: self-attention, attention over the encoded document, then a
 * feed-forward network, each with a residual connection followed by layer normalization. Parameters are named as in
 * PyTorch's {@code nn.TransformerDecoderLayer}.
 */
final class TransformerDecoderLayer extends Layer {

    private static final double EPSILON = 1e-5;

    private final MultiHeadAttention selfAttention;
    private final MultiHeadAttention crossAttention;
    private final Linear linear1;
    private final Linear linear2;
    private final LayerNorm norm1;
    private final LayerNorm norm2;
    private final LayerNorm norm3;
    private final Dropout dropout;

    TransformerDecoderLayer(int size, int heads, int intermediate, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        selfAttention = submodule("self_attn", new MultiHeadAttention(size, heads, dropout, compute));
        crossAttention = submodule("multihead_attn", new MultiHeadAttention(size, heads, dropout, compute));
        linear1 = submodule("linear1", new Linear(size, intermediate, true, compute));
        linear2 = submodule("linear2", new Linear(intermediate, size, true, compute));
        norm1 = submodule("norm1", new LayerNorm(size, EPSILON, compute));
        norm2 = submodule("norm2", new LayerNorm(size, EPSILON, compute));
        norm3 = submodule("norm3", new LayerNorm(size, EPSILON, compute));
    }

    /** Projects the encoded document (B, T, H) for the cross-attention. */
    MultiHeadAttention.KeyValues keyValues(Tensor hiddenStates) {
        return crossAttention.keyValues(hiddenStates);
    }

    /** Queries (B, Q, H) to (B, Q, H), with the padding masks of queries (B, Q) and document (B, T). */
    Tensor forward(
            Tensor x,
            Optional<Tensor> paddingMask,
            MultiHeadAttention.KeyValues memory,
            Tensor memoryPaddingMask,
            boolean training) {
        Tensor self = selfAttention.forward(x, selfAttention.keyValues(x), paddingMask, training);
        Tensor afterSelf = norm1.forward(x.add(dropout.forward(self, training)));
        Tensor cross = crossAttention.forward(afterSelf, memory, Optional.of(memoryPaddingMask), training);
        Tensor afterCross = norm2.forward(afterSelf.add(dropout.forward(cross, training)));
        Tensor inner = dropout.forward(torch.relu(linear1.forward(afterCross)), training); // (B, Q, intermediate)
        return norm3.forward(afterCross.add(dropout.forward(linear2.forward(inner), training)));
    }
}
