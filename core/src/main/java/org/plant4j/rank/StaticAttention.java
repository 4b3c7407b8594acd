package org.plant4j.rank;

import java.util.Arrays;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.SomeLabels;

/**
 * What mutual information alone would attend to (paper, equation 5): the gain of each token of a document in its place,
 * for each label. It is not learned.
 *
 * <p>A label's gains are scaled to a maximum of 1, and a document's divided by one more than their sum: the weights stay
 * below those of a distribution, however long the document, and small where little speaks for the label.
 *
 * <p>Only pairs with a gain are stored, by token and then by label; a batch unfolds those of its tokens.
 */
public final class StaticAttention implements AutoCloseable {

    private final Relevance relevance;
    private final Compute compute;
    private final int[] starts; // by token, into what follows; one more at the end
    private final Tensor pairs; // token * L + label, rising
    private final Tensor gains;

    public StaticAttention(Relevance relevance, int vocabulary, Compute compute) {
        this.relevance = relevance;
        this.compute = compute;
        this.starts = new int[vocabulary + 1];
        for (int label = 0; label < relevance.labels(); label++) {
            for (int token : relevance.tokens(label)) {
                starts[token + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        long[] byToken = new long[starts[vocabulary]];
        float[] theirGains = new float[byToken.length];
        int[] ends = starts.clone();
        for (int label = 0; label < relevance.labels(); label++) {
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaled(label);
            for (int i = 0; i < tokens.length; i++) {
                int at = ends[tokens[i]]++;
                byToken[at] = (long) tokens[i] * relevance.labels() + label;
                theirGains[at] = scaled[i];
            }
        }
        boolean none = byToken.length == 0;
        this.pairs = kept(
                none ? torch.zeros(new long[] {0}, new TensorOptions(torch.ScalarType.Long)) : Tensor.create(byToken));
        this.gains = kept(none ? torch.zeros(0) : Tensor.create(theirGains));
    }

    private Tensor kept(Tensor tensor) {
        Tensor placed = compute.place(tensor);
        placed.retainReference();
        return placed;
    }

    private float[] scaled(int label) {
        float[] scaled = relevance.gains(label);
        for (int i = scaled.length - 1; i >= 0; i--) {
            scaled[i] /= scaled[0]; // the best comes first, and so is scaled last
        }
        return scaled;
    }

    public Relevance relevance() {
        return relevance;
    }

    /** Weights (B, L, T) of the labels. */
    public Tensor forward(Batch batch, SomeLabels some) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor gains = some instanceof SomeLabels.Asked asked ? looked(batch, asked) : unfolded(batch, some);
            return gains.div_(
                    gains.sum(new long[] {-1}, true, new ScalarTypeOptional()).add_(new Scalar(1f)));
        }
    }

    /** Where the pairs of each token of a batch begin, and how many they are. */
    private record Stretches(Tensor starts, Tensor sizes, long total) {}

    /** For all labels the stretches are known on this side, and a GPU need not be waited for. */
    private Stretches ofAllLabels(long[] ids) {
        long[] from = new long[ids.length];
        long[] sizes = new long[ids.length];
        long total = 0;
        for (int i = 0; i < ids.length; i++) {
            int token = (int) ids[i];
            from[i] = starts[token];
            sizes[i] = (long) starts[token + 1] - starts[token];
            total += sizes[i];
        }
        return new Stretches(compute.place(Tensor.create(from)), compute.place(Tensor.create(sizes)), total);
    }

    /** Those of a range are searched where the pairs are: token by token on this side it took longer than the products. */
    private Stretches of(SomeLabels.Range range, Tensor firstPairs) {
        Tensor from = torch.searchsorted(pairs, firstPairs.add(new Scalar((long) range.first())));
        Tensor to = torch.searchsorted(pairs, firstPairs.add(new Scalar((long) range.first() + range.count())));
        Tensor sizes = to.sub_(from);
        return new Stretches(from, sizes, sizes.sum().item_long());
    }

    /** Each token of the batch brings its own stretch of the stored pairs. */
    private Tensor unfolded(Batch batch, SomeLabels some) {
        int first = some instanceof SomeLabels.Range range ? range.first() : 0;
        int count = some instanceof SomeLabels.Range range ? range.count() : relevance.labels();
        int width = batch.width();
        Tensor firstPairs = batch.tokens().flatten().mul(new Scalar((long) relevance.labels()));
        Stretches stretches = some instanceof SomeLabels.Range range ? of(range, firstPairs) : ofAllLabels(batch.ids());
        Tensor weights = torch.zeros(new long[] {(long) batch.lengths().length * count * width}, compute.floats());
        if (stretches.total > 0) {
            Tensor owners = torch.repeat_interleave(stretches.sizes, new LongOptional(stretches.total));
            Tensor shifts = stretches.starts.add(stretches.sizes).sub_(stretches.sizes.cumsum(0));
            Tensor places =
                    torch.arange(new Scalar(stretches.total), owners.options()).add_(shifts.index_select(0, owners));
            // A pair goes to (row * count + label - first) * width + position; its label is the pair less the token's
            // first.
            Tensor row = torch.arange(new Scalar((long) batch.lengths().length), owners.options())
                    .mul_(new Scalar((long) count * width))
                    .unsqueeze(1);
            Tensor slots = torch.arange(new Scalar((long) width), owners.options())
                    .add(row)
                    .flatten()
                    .sub_(firstPairs.add(new Scalar((long) first)), new Scalar((long) width));
            Tensor targets =
                    slots.index_select(0, owners).add_(pairs.index_select(0, places), new Scalar((long) width));
            weights.scatter_(0, targets, gains.index_select(0, places));
        }
        return weights.view(batch.lengths().length, count, width);
    }

    /** A few labels are looked up one by one. */
    private Tensor looked(Batch batch, SomeLabels.Asked asked) {
        Tensor here = asked.ids().cpu();
        int width = batch.width();
        int count = (int) here.numel();
        long[] ids = batch.ids();
        float[] weights = new float[count * ids.length];
        float[] gainOf = new float[starts.length];
        for (int i = 0; i < count; i++) {
            int label = (int) here.data_ptr_long().get(i);
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaled(label);
            for (int j = 0; j < tokens.length; j++) {
                gainOf[tokens[j]] = scaled[j];
            }
            for (int j = 0; j < ids.length; j++) {
                weights[(j / width * count + i) * width + j % width] = gainOf[(int) ids[j]];
            }
            for (int token : tokens) {
                gainOf[token] = 0;
            }
        }
        return compute.place(Tensor.create(weights, batch.lengths().length, count, width));
    }

    @Override
    public void close() {
        pairs.close();
        gains.close();
    }
}
