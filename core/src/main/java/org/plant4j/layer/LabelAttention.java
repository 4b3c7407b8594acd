package org.plant4j.layer;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Label attention: for each label l, the softmax over tokens j of k_j · u_l, padding excluded.
 *
 * <p>With n null tokens the weights are exp(s_j) / (n + Σ_i exp(s_i)): the softmax over the tokens and n further ones with
 * score 0, whose weights are left out. Weights then sum to less than 1, and to little in a document without relevant tokens.
 */
public final class LabelAttention extends Layer {

    /** Score of padding: below every real score but finite, so that a row of padding alone gives no NaN. */
    public static final double MASKED_SCORE = -1e30;

    private final Tensor queries; // (L, D)

    private final int nullTokens;

    public LabelAttention(int labels, int size, double standardDeviation, Compute compute) {
        this(labels, size, standardDeviation, 0, compute);
    }

    public LabelAttention(int labels, int size, double standardDeviation, int nullTokens, Compute compute) {
        this.nullTokens = nullTokens;
        queries = labelParameter("weight", compute, Init.normal(standardDeviation), labels, size);
    }

    /** The queries (L, D), to initialize them. */
    public Tensor queries() {
        return queries;
    }

    /** Keys (B, T, D) to attention weights (B, T, L); in this layout one product computes them, without a transposition. */
    public Tensor forward(Tensor keys, Tensor mask, LabelSelection labels) {
        return maskedSoftmax(scores(keys, labels), mask, nullTokens);
    }

    /** The same for a batch, which needs no mask if it has no padding. */
    public Tensor forward(Tensor keys, Batch batch, LabelSelection labels) {
        return batch.isPadded() ? forward(keys, batch.mask(), labels) : softmax(scores(keys, labels), nullTokens);
    }

    /** Keys (B, T, D) to attention scores (B, T, L) before masking and softmax. */
    public Tensor scores(Tensor keys, LabelSelection labels) {
        return torch.matmul(keys, labels.select(queries).t());
    }

    /** The queries in few dimensions, for approximate scores. */
    public ReducedRows reducedQueries(int size) {
        return ReducedRows.of(queries, size);
    }

    /** Scores (B, T, L), which are overwritten, to attention weights (B, T, L) over the tokens of {@code mask} (B, T). */
    public static Tensor maskedSoftmax(Tensor scores, Tensor mask) {
        return maskedSoftmax(scores, mask, 0);
    }

    /** The same with null tokens. */
    public static Tensor maskedSoftmax(Tensor scores, Tensor mask, int nullTokens) {
        return softmax(scores.masked_fill_(mask.logical_not().unsqueeze(-1), new Scalar(MASKED_SCORE)), nullTokens);
    }

    private static Tensor softmax(Tensor scores, int nullTokens) {
        Tensor weights = torch.softmax(scores, 1);
        return nullTokens == 0 ? weights : weights.mul(tokenShare(highest(scores), weights, nullTokens));
    }

    /** The highest score of each label: (B, T, L) to (B, 1, L). */
    public static Tensor highest(Tensor scores) {
        return scores.amax(new long[] {1}, true);
    }

    /**
     * The factor (B, 1, L) on the weights (B, T, L) of a softmax that also covers null tokens: Z / (Z + n) for Z = Σ_j
     * exp(s_j). The highest score s and its weight give Z = exp(s) / weight without another pass over all scores.
     */
    public static Tensor tokenShare(Tensor highestScores, Tensor weights, int nullTokens) {
        Tensor logSum = highestScores.sub(highest(weights).log());
        return torch.sigmoid(logSum.sub(new Scalar(Math.log(nullTokens))));
    }
}
