package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Label head: the logit of each label from its attention-weighted view of the document, y_l = (Σ_j a_jl h_j) · w_l + b_l.
 *
 * <p>This equals Σ_j a_jl (h_j · w_l) + b_l. The first form needs a (B, L, H) tensor, the second a (B, T, L) one; the
 * smaller is used.
 */
public final class LabelHead extends Layer implements LabelBias {

    private final Tensor weight; // (L, H)
    private final Tensor bias; // (L)

    public LabelHead(int labels, int size, double standardDeviation, double initialBias, Compute compute) {
        weight = labelParameter("weight", compute, Init.normal(standardDeviation), labels, size);
        bias = labelParameter("bias", compute, Init.constant(initialBias), labels);
    }

    /** Hidden states (B, T, H) and attention weights (B, T, L) to logits (B, L) without bias. */
    public Tensor forward(Tensor hiddenStates, Tensor attention, LabelSelection labels) {
        return logits(hiddenStates, attention, labels.select(weight));
    }

    /** Σ_j a_jl (h_j · w_l): logits (B, L) from hidden states (B, T, H), attention weights (B, T, L) and weights (L, H). */
    public static Tensor logits(Tensor hiddenStates, Tensor attention, Tensor weight) {
        boolean fewTokens = hiddenStates.size(1) < hiddenStates.size(2);
        return fewTokens
                ? logitsByToken(hiddenStates, attention, weight)
                : logitsByLabel(hiddenStates, attention, weight);
    }

    /** The weights (L, H) of some labels. */
    public Tensor weight(LabelSelection labels) {
        return labels.select(weight);
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return labels.select(bias);
    }

    @Override
    public void initializeBias(float[] values) {
        setValues(bias, values);
    }

    /** The weights in few dimensions, for approximate token logits. */
    public ReducedRows reducedWeights(int size) {
        return ReducedRows.of(weight, size);
    }

    /** Logit of each label from each token alone, before attention: h_j · w_l as (B, T, L). */
    public Tensor tokenLogits(Tensor hiddenStates, LabelSelection labels) {
        return torch.matmul(hiddenStates, labels.select(weight).t());
    }

    static Tensor logitsByLabel(Tensor hiddenStates, Tensor attention, Tensor weight) {
        return torch.matmul(attention.transpose(1, 2), hiddenStates).mul(weight).sum(-1L); // (B, L, H) to (B, L)
    }

    static Tensor logitsByToken(Tensor hiddenStates, Tensor attention, Tensor weight) {
        return torch.matmul(hiddenStates, weight.t()).mul(attention).sum(1L); // (B, T, L) to (B, L)
    }
}
