package org.plant4j.nn;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * A logit for each label from its own view of the document: y_l = (Σ_j a_lj h_j) · w_l + b_l.
 *
 * <p>The same number is Σ_j a_lj (h_j · w_l) + b_l. The first form holds a (B, L, H) tensor, the second a (B, L, T) one;
 * the smaller of the two is taken.
 */
public final class LabelHead extends Layer {

    private final Tensor weight; // (L, H)
    private final Tensor bias; // (L)

    public LabelHead(int labels, int size, double deviation, double initialBias, Compute compute) {
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
        bias = parameter("bias", compute, Init.constant(initialBias), labels);
    }

    /** States (B, T, H) and attention (B, L, T) to logits (B, L). */
    public Tensor forward(Tensor states, Tensor attention, Optional<Tensor> labels) {
        Tensor w = labels.map(ids -> weight.index_select(0, ids)).orElse(weight);
        Tensor b = labels.map(ids -> bias.index_select(0, ids)).orElse(bias);
        boolean tokensAreFewer = states.size(1) < states.size(2);
        return (tokensAreFewer ? byToken(states, attention, w) : byView(states, attention, w)).add(b);
    }

    static Tensor byView(Tensor states, Tensor attention, Tensor w) {
        return torch.matmul(attention, states).mul(w).sum(-1L); // (B, L, H) to (B, L)
    }

    static Tensor byToken(Tensor states, Tensor attention, Tensor w) {
        return torch.matmul(w, states.transpose(1, 2)).mul(attention).sum(-1L); // (B, L, T) to (B, L)
    }
}
