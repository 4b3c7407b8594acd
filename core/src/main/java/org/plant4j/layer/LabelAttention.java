package org.plant4j.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/** For each label a distribution over the document's real tokens: softmax over j of k_j · u_l. */
public final class LabelAttention extends Layer {

    /** Far below every score, yet finite: a row of padding alone gets weights without meaning, but no NaN. */
    public static final double MASKED_SCORE = -1e30;

    private final Tensor queries; // (L, D)

    public LabelAttention(int labels, int size, double deviation, Compute compute) {
        queries = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    /** Keys (B, T, D) to the labels' weights (B, T, L): so laid, one product does it, and none is turned round. */
    public Tensor forward(Tensor keys, Tensor mask, LabelSelection labels) {
        return maskedSoftmax(scores(keys, labels), mask);
    }

    /** What becomes that distribution, padding and all. */
    public Tensor scores(Tensor keys, LabelSelection labels) {
        return torch.matmul(keys, labels.select(queries).t());
    }

    /** Scores (B, T, L), which are overwritten, to a distribution over real tokens. */
    public static Tensor maskedSoftmax(Tensor scores, Tensor mask) {
        return torch.softmax(scores.masked_fill_(mask.logical_not().unsqueeze(-1), new Scalar(MASKED_SCORE)), 1);
    }
}
