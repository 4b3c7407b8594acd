package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Each label's own look at a text, learned for it alone: Σ_j softmax_j(h_j · u_l) (h_j · w_l). */
public final class LabelView extends Layer {

    private final LabelAttention attention;
    private final Tensor weight; // (L, H)

    public LabelView(int labels, int size, double deviation, Compute compute) {
        attention = part("attention", new LabelAttention(labels, size, deviation, compute));
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    /** States (B, T, H) to (B, L). */
    public Tensor forward(Tensor states, Tensor mask, SomeLabels labels) {
        return LabelHead.said(states, attention.forward(states, mask, labels), labels.of(weight));
    }

    /** What each token says of it: (B, T, L). */
    public Tensor byToken(Tensor states, Tensor mask, SomeLabels labels) {
        return torch.matmul(states, labels.of(weight).t()).mul(attention.forward(states, mask, labels));
    }
}
