package org.plant4j.nn;

import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** For each label a distribution over the document's real tokens: softmax over j of k_j · u_l. */
public final class LabelAttention extends Layer {

    private final Tensor queries; // (L, D)

    public LabelAttention(int labels, int size, double deviation, Compute compute) {
        queries = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    /** Keys (B, T, D) to weights (B, L, T); only the given labels where some are asked for. */
    public Tensor forward(Tensor keys, Tensor mask, Optional<Tensor> labels) {
        Tensor asked = labels.map(ids -> queries.index_select(0, ids)).orElse(queries);
        Tensor scores = torch.matmul(asked, keys.transpose(1, 2)); // (B, L, T)
        scores.masked_fill_(mask.logical_not().unsqueeze(1), new Scalar(Double.NEGATIVE_INFINITY));
        return torch.softmax(scores, -1);
    }
}
