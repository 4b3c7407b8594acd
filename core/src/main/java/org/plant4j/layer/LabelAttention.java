package org.plant4j.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/** Label attention: for each label l, the softmax over tokens j of k_j · u_l, padding excluded. */
public final class LabelAttention extends Layer {

    /** Score of padding: below every real score but finite, so that a row of padding alone gives no NaN. */
    public static final double MASKED_SCORE = -1e30;

    private final Tensor queries; // (L, D)

    public LabelAttention(int labels, int size, double standardDeviation, Compute compute) {
        queries = parameter("weight", compute, Init.normal(standardDeviation), labels, size);
    }

    /** Keys (B, T, D) to attention weights (B, T, L); in this layout one product computes them, without a transposition. */
    public Tensor forward(Tensor keys, Tensor mask, LabelSelection labels) {
        return maskedSoftmax(scores(keys, labels), mask);
    }

    /** Keys (B, T, D) to attention scores (B, T, L) before masking and softmax. */
    public Tensor scores(Tensor keys, LabelSelection labels) {
        return torch.matmul(keys, labels.select(queries).t());
    }

    /** Scores (B, T, L), which are overwritten, to attention weights (B, T, L) over the tokens of {@code mask} (B, T). */
    public static Tensor maskedSoftmax(Tensor scores, Tensor mask) {
        return torch.softmax(scores.masked_fill_(mask.logical_not().unsqueeze(-1), new Scalar(MASKED_SCORE)), 1);
    }
}
