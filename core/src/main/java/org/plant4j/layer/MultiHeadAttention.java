package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/**
 * One sequence looks at another, or at itself, through several heads: softmax(Q Kᵀ / √d) V.
 *
 * <p>Vaswani et al.: Attention Is All You Need, 2017, equation 1; parameters are named as in PyTorch.
 */
public final class MultiHeadAttention extends Layer {

    private final int size;
    private final int heads;
    private final Tensor weight; // (3 H, H): queries, keys, values
    private final Tensor bias; // (3 H)
    private final Linear outputProjection;
    private final Dropout dropout;

    public MultiHeadAttention(int size, int heads, double dropout, Compute compute) {
        if (heads < 1 || size % heads != 0) {
            throw new IllegalArgumentException("heads: " + heads + " (expected: a divisor of " + size + ")");
        }
        this.size = size;
        this.heads = heads;
        this.dropout = new Dropout(dropout);
        weight = parameter("in_proj_weight", compute, Init.uniform(Math.sqrt(6.0 / (4 * size))), 3L * size, size);
        bias = parameter("in_proj_bias", compute, Init.constant(0), 3L * size);
        outputProjection = submodule("out_proj", new Linear(size, size, true, compute));
    }

    /** What there is to look at, (B, heads, S, H / heads) each: made once, however often it is looked at. */
    public record KeyValues(Tensor keys, Tensor values) {

        /** Of some rows of the batch. */
        KeyValues select(Tensor rows) {
            return new KeyValues(keys.index_select(0, rows), values.index_select(0, rows));
        }
    }

    public KeyValues keyValues(Tensor sequence) {
        return new KeyValues(splitHeads(project(sequence, 1)), splitHeads(project(sequence, 2)));
    }

    /** (B, Q, H) to (B, Q, H); {@code hidden} (B, S) is true where nothing may be looked at. */
    public Tensor forward(Tensor x, KeyValues seen, Optional<Tensor> hidden, boolean training) {
        Tensor scores = torch.matmul(
                splitHeads(project(x, 0)).mul(new Scalar(1 / Math.sqrt((double) size / heads))),
                seen.keys().transpose(-1, -2)); // (B, heads, Q, S)
        Tensor allowed = hidden.map(mask ->
                        scores.masked_fill(mask.unsqueeze(1).unsqueeze(1), new Scalar(LabelAttention.MASKED_SCORE)))
                .orElse(scores);
        Tensor weights = dropout.forward(torch.softmax(allowed, -1), training);
        Tensor attended = torch.matmul(weights, seen.values()); // (B, heads, Q, H / heads)
        return outputProjection.forward(attended.transpose(1, 2).reshape(x.size(0), x.size(1), size));
    }

    private Tensor project(Tensor x, int third) {
        return torch.linear(
                x,
                weight.narrow(0, (long) third * size, size),
                new TensorOptional(bias.narrow(0, (long) third * size, size)));
    }

    private Tensor splitHeads(Tensor x) {
        return x.view(x.size(0), x.size(1), heads, size / heads).transpose(1, 2);
    }
}
