package org.plant4j.layer;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * A logit for each label from its own view of the document: y_l = (Σ_j a_lj h_j) · w_l + b_l.
 *
 * <p>The same number is Σ_j a_lj (h_j · w_l) + b_l. The first form holds a (B, L, H) tensor, the second a (B, T, L) one;
 * the smaller of the two is taken.
 */
public final class LabelHead extends Layer implements LabelBias {

    private final Tensor weight; // (L, H)
    private final Tensor bias; // (L)

    public LabelHead(int labels, int size, double deviation, double initialBias, Compute compute) {
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
        bias = parameter("bias", compute, Init.constant(initialBias), labels);
    }

    /** States (B, T, H) and attention (B, T, L) to logits (B, L), which still lack their bias. */
    public Tensor forward(Tensor states, Tensor attention, LabelSelection labels) {
        return logits(states, attention, labels.select(weight));
    }

    /** Σ_j a_jl (h_j · w_l) as (B, L) of states (B, T, H), attention (B, T, L) and weights (L, H). */
    public static Tensor logits(Tensor states, Tensor attention, Tensor w) {
        boolean tokensAreFewer = states.size(1) < states.size(2);
        return tokensAreFewer ? logitsByToken(states, attention, w) : logitsByLabel(states, attention, w);
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return labels.select(bias);
    }

    @Override
    public void initializeBias(float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            bias.copy_(Tensor.create(values));
        }
    }

    /** What each token says for each label, attended to or not: h_j · w_l as (B, T, L). */
    public Tensor tokenLogits(Tensor states, LabelSelection labels) {
        return torch.matmul(states, labels.select(weight).t());
    }

    static Tensor logitsByLabel(Tensor states, Tensor attention, Tensor w) {
        return torch.matmul(attention.transpose(1, 2), states).mul(w).sum(-1L); // (B, L, H) to (B, L)
    }

    static Tensor logitsByToken(Tensor states, Tensor attention, Tensor w) {
        return torch.matmul(states, w.t()).mul(attention).sum(1L); // (B, T, L) to (B, L)
    }
}
