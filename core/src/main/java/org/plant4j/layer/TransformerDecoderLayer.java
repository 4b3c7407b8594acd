package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/**
 * One layer of a transformer's decoder that looks both ways: at its own sequence, at the text, then two dense maps; what
 * each adds is normalised with its input. Parameters are named as in PyTorch.
 */
final class TransformerDecoderLayer extends Layer {

    private static final double EPSILON = 1e-5;

    private final MultiHeadAttention own;
    private final MultiHeadAttention text;
    private final Linear wide;
    private final Linear narrow;
    private final LayerNorm ownNorm;
    private final LayerNorm textNorm;
    private final LayerNorm norm;
    private final Dropout dropout;

    TransformerDecoderLayer(int size, int heads, int intermediate, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        own = submodule("self_attn", new MultiHeadAttention(size, heads, dropout, compute));
        text = submodule("multihead_attn", new MultiHeadAttention(size, heads, dropout, compute));
        wide = submodule("linear1", new Linear(size, intermediate, true, compute));
        narrow = submodule("linear2", new Linear(intermediate, size, true, compute));
        ownNorm = submodule("norm1", new LayerNorm(size, EPSILON, compute));
        textNorm = submodule("norm2", new LayerNorm(size, EPSILON, compute));
        norm = submodule("norm3", new LayerNorm(size, EPSILON, compute));
    }

    MultiHeadAttention.KeyValues keyValues(Tensor states) {
        return text.keyValues(states);
    }

    /** (B, Q, H) to (B, Q, H). */
    Tensor forward(
            Tensor x, Optional<Tensor> hidden, MultiHeadAttention.KeyValues read, Tensor hiddenText, boolean training) {
        Tensor met =
                ownNorm.forward(x.add(dropout.forward(own.forward(x, own.keyValues(x), hidden, training), training)));
        Tensor informed = textNorm.forward(
                met.add(dropout.forward(text.forward(met, read, Optional.of(hiddenText), training), training)));
        Tensor widened = dropout.forward(torch.relu(wide.forward(informed)), training);
        return norm.forward(informed.add(dropout.forward(narrow.forward(widened), training)));
    }
}
