package org.plant4j.model.plant;

import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.LabelAttention;

/** What becomes of the tokens that are not among the {@code keep} best of a label (paper, equation 6). */
public enum Inattention {
    /** Every token counts. */
    NONE,
    /** The paper's formula: their score is 0, so that the softmax still leaves them a little. */
    ZERO,
    /** They are not attended to at all. */
    DROP;

    /** Scores (B, T, L), which are overwritten, to a distribution over the real tokens. */
    Tensor distribution(Tensor scores, Tensor mask, int keep) {
        return LabelAttention.maskedSoftmax(threshold(scores, mask, keep), mask);
    }

    /** Scores whose softmax is that distribution. */
    Tensor threshold(Tensor scores, Tensor mask, int keep) {
        if (this == NONE || keep >= scores.size(1)) {
            return scores;
        }
        Tensor others;
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor real = scores.masked_fill(mask.logical_not().unsqueeze(-1), new Scalar(LabelAttention.MASKED_SCORE));
            Tensor last = real.topk(keep, 1, true, true).get0().narrow(1, keep - 1, 1);
            others = real.lt(last);
        }
        return scores.masked_fill(others, new Scalar(this == ZERO ? 0 : LabelAttention.MASKED_SCORE));
    }
}
