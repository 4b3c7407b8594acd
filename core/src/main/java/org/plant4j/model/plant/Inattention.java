package org.plant4j.model.plant;

import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.LabelAttention;

/** How the ranker's attention treats tokens outside the {@code keep} best of a label (paper, equation 4). */
public enum Inattention {
    /** All tokens keep their scores. */
    NONE,
    /**
     * As in the paper: their score is 0, so the softmax still gives them some weight. A ranker's scores have no zero point:
     * where the {@code keep}-th best is negative, tokens that were worse get more weight than it.
     */
    ZERO,
    /** Their score is at most 0: as {@link #ZERO}, but never raises a token. */
    CAP,
    /** Their weight is 0. */
    DROP;

    /** Attention weights (B, T, L) of scores, which are overwritten; padding gets 0. */
    Tensor distribution(Tensor scores, Tensor mask, int keep, int nullTokens) {
        return LabelAttention.maskedSoftmax(threshold(scores, mask, keep), mask, nullTokens);
    }

    /** Scores whose softmax gives those weights. */
    Tensor threshold(Tensor scores, Tensor mask, int keep) {
        if (this == NONE || keep >= scores.size(1)) {
            return scores;
        }
        Tensor others;
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor unpadded =
                    scores.masked_fill(mask.logical_not().unsqueeze(-1), new Scalar(LabelAttention.MASKED_SCORE));
            Tensor lowestKept = unpadded.topk(keep, 1, true, true).get0().narrow(1, keep - 1, 1);
            others = unpadded.lt(lowestKept);
        }
        return this == CAP
                ? torch.where(others, scores.clamp_max(new Scalar(0)), scores)
                : scores.masked_fill(others, new Scalar(this == ZERO ? 0 : LabelAttention.MASKED_SCORE));
    }
}
