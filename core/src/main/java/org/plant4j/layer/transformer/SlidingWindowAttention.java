package org.plant4j.layer.transformer;

import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.FusedLinear;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;

/**
 * Longformer's sparse self-attention: a token attends to the tokens around it and to the global tokens, which attend to all
 * tokens with projections of their own. Time and memory grow linearly with the length.
 *
 * <p>Beltagy, Peters, Cohan: Longformer: The Long-Document Transformer, 2020, section 3.1; reference implementation: Hugging
 * Face's {@code LongformerSelfAttention}, whose parameter names it has. Global tokens are the first ones of a row.
 */
public final class SlidingWindowAttention extends Layer {

    private final int heads;
    private final int reach;
    private final FusedLinear projections; // queries, keys, values
    private final Linear globalQuery;
    private final FusedLinear globalProjections; // keys, values
    private final Linear outputProjection;
    private final ScaledDotProduct attention;

    /** {@code window} is even: a token attends to half as many tokens on each side. */
    public SlidingWindowAttention(int size, int heads, int window, double dropout, Compute compute) {
        Arguments.check(window >= 2 && window % 2 == 0, "attention_window", window, "an even number, at least 2");
        this.heads = heads;
        this.reach = window / 2;
        attention = new ScaledDotProduct(dropout, compute);
        projections = submodule(
                "projections",
                new FusedLinear(
                        submodule("self.query", new Linear(size, size, true, compute)),
                        submodule("self.key", new Linear(size, size, true, compute)),
                        submodule("self.value", new Linear(size, size, true, compute))));
        globalQuery = submodule("self.query_global", new Linear(size, size, true, compute));
        globalProjections = submodule(
                "global_projections",
                new FusedLinear(
                        submodule("self.key_global", new Linear(size, size, true, compute)),
                        submodule("self.value_global", new Linear(size, size, true, compute))));
        outputProjection = submodule("output.dense", new Linear(size, size, true, compute));
    }

    /**
     * (N, M, H) to (N, M, H).
     *
     * @param mask (N, M), true for tokens to attend to
     * @param globals the number of global tokens, at least 1
     */
    public Tensor forward(Tensor x, Tensor mask, int globals, boolean training) {
        long length = x.size(1);
        Arguments.check(globals >= 1 && globals <= length, "global tokens", globals, "1 to " + length);
        List<Tensor> keyValues = splitHeads(globalProjections.forward(x));
        Tensor global = attention.forward(
                globalQueries(x, globals),
                keyValues.get(0),
                keyValues.get(1),
                Optional.of(mask.unsqueeze(1).unsqueeze(1)),
                training); // (N, heads, G, d)
        Tensor local = localAttention(x, mask, globals, training).narrow(2, globals, length - globals);
        return outputProjection.forward(ScaledDotProduct.joinHeads(torch.cat(new TensorVector(global, local), 2)));
    }

    /** The mean over heads of the attention weights of the global tokens over all tokens: (N, G, M). */
    public Tensor globalWeights(Tensor x, Tensor mask, int globals) {
        return ScaledDotProduct.weights(
                        globalQueries(x, globals),
                        splitHeads(globalProjections.forward(x)).get(0),
                        Optional.of(mask.unsqueeze(1).unsqueeze(1)))
                .mean(1);
    }

    /**
     * Attention over windows and global tokens, (N, heads, M, d). Tokens are split into C chunks as long as the reach of the
     * attention, so that a chunk attends to itself, to its neighbours and to the global tokens: one dense product each.
     */
    private Tensor localAttention(Tensor x, Tensor mask, int globals, boolean training) {
        long rows = x.size(0);
        long length = x.size(1);
        long chunks = (length + reach - 1) / reach;
        long missing = chunks * reach - length;
        List<Tensor> projected = splitHeads(projections.forward(x, torch.ScalarType.BFloat16));
        Tensor queries = torch.constant_pad_nd(projected.get(0), 0, 0, 0, missing)
                .view(rows, heads, chunks, reach, -1)
                .transpose(1, 2)
                .flatten(0, 1); // (N C, heads, W, d)
        Tensor attended = attention.forward(
                queries,
                windows(projected.get(1), globals, missing),
                windows(projected.get(2), globals, missing),
                Optional.of(windowMask(mask, globals, chunks, missing)),
                training);
        return attended.view(rows, chunks, heads, reach, -1)
                .transpose(1, 2)
                .flatten(2, 3) // (N, heads, C W, d)
                .narrow(2, 0, length);
    }

    /** Global tokens, and the chunk with both its neighbours: (N, heads, M, d) to (N C, heads, G + 3 W, d). */
    private Tensor windows(Tensor x, int globals, long missing) {
        Tensor chunks = torch.constant_pad_nd(x, 0, 0, reach, missing + reach)
                .unfold(2, 3L * reach, reach) // (N, heads, C, d, 3 W)
                .permute(0, 2, 1, 4, 3); // (N, C, heads, 3 W, d)
        Tensor global =
                x.narrow(2, 0, globals).unsqueeze(1).expand(x.size(0), chunks.size(1), heads, globals, x.size(3));
        return torch.cat(new TensorVector(global, chunks), 3).flatten(0, 1);
    }

    /** True for the keys of {@link #windows} that a token attends to: (N C, 1, W, G + 3 W). */
    private Tensor windowMask(Tensor mask, int globals, long chunks, long missing) {
        Tensor local = mask.clone();
        local.narrow(1, 0, globals).fill_(new Scalar(0)); // they come first already
        Tensor keys = torch.constant_pad_nd(local, reach, missing + reach)
                .unfold(1, 3L * reach, reach) // (N, C, 3 W)
                .unsqueeze(2);
        // Key j of the three chunks lies j - W - i tokens after query i of the middle one.
        Tensor band = torch.ones(new long[] {reach, 3L * reach}, mask.options())
                .triu(0)
                .tril(2L * reach);
        Tensor inReach = keys.logical_and(band); // (N, C, W, 3 W)
        Tensor global =
                mask.narrow(1, 0, globals).unsqueeze(1).unsqueeze(1).expand(mask.size(0), chunks, reach, globals);
        return torch.cat(new TensorVector(global, inReach), 3).flatten(0, 1).unsqueeze(1);
    }

    /** (N, heads, G, d). */
    private Tensor globalQueries(Tensor x, int globals) {
        return ScaledDotProduct.splitHeads(globalQuery.forward(x.narrow(1, 0, globals)), heads);
    }

    /** (N, M, H) to (N, heads, M, d) each. */
    private List<Tensor> splitHeads(List<Tensor> projected) {
        return projected.stream()
                .map(each -> ScaledDotProduct.splitHeads(each, heads))
                .toList();
    }
}
