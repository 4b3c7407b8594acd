package org.plant4j.nn;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * One layer of a transformer's decoder that looks both ways: at its own sequence, at the text, then two dense maps; what
 * each adds is normalised with its input. Parameters are named as in PyTorch.
 */
final class DecoderLayer extends Layer {

    private static final double EPSILON = 1e-5;

    private final MultiHeadAttention own;
    private final MultiHeadAttention text;
    private final Linear wide;
    private final Linear narrow;
    private final LayerNorm ownNorm;
    private final LayerNorm textNorm;
    private final LayerNorm norm;
    private final Dropout dropout;

    DecoderLayer(int size, int heads, int intermediate, double dropout, Compute compute) {
        this.dropout = new Dropout(dropout);
        own = part("self_attn", new MultiHeadAttention(size, heads, dropout, compute));
        text = part("multihead_attn", new MultiHeadAttention(size, heads, dropout, compute));
        wide = part("linear1", new Linear(size, intermediate, true, compute));
        narrow = part("linear2", new Linear(intermediate, size, true, compute));
        ownNorm = part("norm1", new LayerNorm(size, EPSILON, compute));
        textNorm = part("norm2", new LayerNorm(size, EPSILON, compute));
        norm = part("norm3", new LayerNorm(size, EPSILON, compute));
    }

    MultiHeadAttention.Seen see(Tensor states) {
        return text.see(states);
    }

    /** (B, Q, H) to (B, Q, H). */
    Tensor forward(
            Tensor x, Optional<Tensor> hidden, MultiHeadAttention.Seen read, Tensor hiddenText, boolean training) {
        Tensor met = ownNorm.forward(x.add(dropout.forward(own.forward(x, own.see(x), hidden, training), training)));
        Tensor informed = textNorm.forward(
                met.add(dropout.forward(text.forward(met, read, Optional.of(hiddenText), training), training)));
        Tensor widened = dropout.forward(torch.relu(wide.forward(informed)), training);
        return norm.forward(informed.add(dropout.forward(narrow.forward(widened), training)));
    }
}
