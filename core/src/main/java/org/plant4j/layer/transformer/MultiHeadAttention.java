package org.plant4j.layer.transformer;

import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;

/**
 * Multi-head attention of one sequence over another or over itself: softmax(Q Kᵀ / √d) V.
 *
 * <p>Vaswani et al.: Attention Is All You Need, NIPS 2017, equation 1. Parameters are named as in PyTorch's {@code
 * nn.MultiheadAttention}.
 */
public final class MultiHeadAttention extends Layer {

    private final int size;
    private final int heads;
    private final Tensor weight; // (3 H, H): queries, keys, values
    private final Tensor bias; // (3 H)
    private final Linear outputProjection;
    private final Dropout dropout;

    public MultiHeadAttention(int size, int heads, double dropout, Compute compute) {
        Arguments.check(heads >= 1 && size % heads == 0, "heads", heads, "a divisor of " + size);
        this.size = size;
        this.heads = heads;
        this.dropout = new Dropout(dropout);
        weight = parameter("in_proj_weight", compute, Init.uniform(Math.sqrt(6.0 / (4 * size))), 3L * size, size);
        bias = parameter("in_proj_bias", compute, Init.constant(0), 3L * size);
        outputProjection = submodule("out_proj", new Linear(size, size, true, compute));
    }

    /** Projected keys and values of a sequence, (B, heads, S, H / heads) each, to be reused for several queries. */
    public record KeyValues(Tensor keys, Tensor values) {

        /** The given rows of the batch. */
        KeyValues select(Tensor rows) {
            return new KeyValues(keys.index_select(0, rows), values.index_select(0, rows));
        }
    }

    /** Projects a sequence (B, S, H). */
    public KeyValues keyValues(Tensor sequence) {
        return new KeyValues(splitHeads(project(sequence, 1)), splitHeads(project(sequence, 2)));
    }

    /** Queries (B, Q, H) to (B, Q, H); {@code paddingMask} (B, S) is true at positions to exclude. */
    public Tensor forward(Tensor x, KeyValues sequence, Optional<Tensor> paddingMask, boolean training) {
        Tensor scores = torch.matmul(
                splitHeads(project(x, 0)).mul(new Scalar(1 / Math.sqrt((double) size / heads))),
                sequence.keys().transpose(-1, -2)); // (B, heads, Q, S)
        Tensor masked = paddingMask
                .map(mask ->
                        scores.masked_fill(mask.unsqueeze(1).unsqueeze(1), new Scalar(LabelAttention.MASKED_SCORE)))
                .orElse(scores);
        Tensor weights = dropout.forward(torch.softmax(masked, -1), training);
        Tensor attended = torch.matmul(weights, sequence.values()); // (B, heads, Q, H / heads)
        return outputProjection.forward(attended.transpose(1, 2).reshape(x.size(0), x.size(1), size));
    }

    /** Applies one of the three joint projections: 0 queries, 1 keys, 2 values. */
    private Tensor project(Tensor x, int index) {
        return torch.linear(
                x,
                weight.narrow(0, (long) index * size, size),
                new TensorOptional(bias.narrow(0, (long) index * size, size)));
    }

    /** (B, S, H) to (B, heads, S, H / heads). */
    private Tensor splitHeads(Tensor x) {
        return x.view(x.size(0), x.size(1), heads, size / heads).transpose(1, 2);
    }
}
