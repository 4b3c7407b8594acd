package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Each label's own look at a text, learned for it alone: Σ_j softmax_j(k_j · u_l) (h_j · w_l). */
public final class LabelView extends Layer {

    private final LabelAttention attention;
    private final Tensor weight; // (L, H)

    /** Of keys of {@code keySize} numbers and states of {@code size}. */
    public LabelView(int labels, int keySize, int size, double deviation, Compute compute) {
        attention = part("attention", new LabelAttention(labels, keySize, deviation, compute));
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    /** States (B, T, H) and keys (B, T, D) to (B, L). */
    public Tensor forward(Tensor states, Tensor keys, Tensor mask, SomeLabels labels) {
        return LabelHead.said(states, attention.forward(keys, mask, labels), labels.of(weight));
    }

    /** What each token says of it: (B, T, L). */
    public Tensor byToken(Tensor states, Tensor keys, Tensor mask, SomeLabels labels) {
        return torch.matmul(states, labels.of(weight).t()).mul(attention.forward(keys, mask, labels));
    }
}
