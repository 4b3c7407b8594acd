package org.plant4j.rank;

import java.util.Arrays;
import java.util.Optional;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

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
        Tensor placed = compute.toDevice(tensor);
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

    /** Weights (B, T, L) of the labels. */
    public Tensor forward(Batch batch, LabelSelection some) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor gains = some instanceof LabelSelection.Ids asked ? looked(batch, asked) : unfolded(batch, some);
            return gains.div_(
                    gains.sum(new long[] {1}, true, new ScalarTypeOptional()).add_(new Scalar(1f)));
        }
    }

    /**
     * The same weights, those alone that are not zero: {@code slots} are their places in (B, T, L) and {@code rows} in
     * (B, L), both flat.
     */
    public record SparseAttention(Tensor slots, Tensor rows, Tensor weights) {}

    /** Of all labels or of a range of them; nothing where no token tells of a label. */
    public Optional<SparseAttention> sparse(Batch batch, LabelSelection some) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            int count = count(some);
            return pairs(batch, some).map(pairs -> {
                Tensor rows = pairs.slots
                        .floor_divide(new Scalar((long) batch.width() * count))
                        .mul_(new Scalar((long) count))
                        .add_(pairs.slots.remainder(new Scalar((long) count)));
                Tensor sums = torch.ones(new long[] {(long) batch.lengths().length * count}, compute.floatOptions())
                        .index_add_(0, rows, pairs.gains);
                return new SparseAttention(pairs.slots, rows, pairs.gains.div(sums.index_select(0, rows)));
            });
        }
    }

    private int count(LabelSelection some) {
        return some instanceof LabelSelection.Range range ? range.count() : relevance.labels();
    }

    /** Places in (B, T, L), flat, and the gains that belong there. */
    private record Pairs(Tensor slots, Tensor gains) {}

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
        return new Stretches(compute.toDevice(Tensor.create(from)), compute.toDevice(Tensor.create(sizes)), total);
    }

    /** Those of a range are searched where the pairs are: token by token on this side it took longer than the products. */
    private Stretches of(LabelSelection.Range range, Tensor firstPairs) {
        Tensor from = torch.searchsorted(pairs, firstPairs.add(new Scalar((long) range.first())));
        Tensor to = torch.searchsorted(pairs, firstPairs.add(new Scalar((long) range.first() + range.count())));
        Tensor sizes = to.sub_(from);
        return new Stretches(from, sizes, sizes.sum().item_long());
    }

    /** Each token of the batch brings its own stretch of the stored pairs. */
    private Optional<Pairs> pairs(Batch batch, LabelSelection some) {
        int first = some instanceof LabelSelection.Range range ? range.first() : 0;
        Tensor firstPairs = batch.tokens().flatten().mul(new Scalar((long) relevance.labels()));
        Stretches stretches =
                some instanceof LabelSelection.Range range ? of(range, firstPairs) : ofAllLabels(batch.ids());
        if (stretches.total == 0) {
            return Optional.empty();
        }
        Tensor owners = torch.repeat_interleave(stretches.sizes, new LongOptional(stretches.total));
        Tensor shifts = stretches.starts.add(stretches.sizes).sub_(stretches.sizes.cumsum(0));
        Tensor places =
                torch.arange(new Scalar(stretches.total), owners.options()).add_(shifts.index_select(0, owners));
        // A pair goes to position * count + label - first; its label is the pair less the token's first.
        Tensor starts = torch.arange(new Scalar((long) batch.ids().length), owners.options())
                .mul_(new Scalar((long) count(some)))
                .sub_(firstPairs.add(new Scalar((long) first)));
        Tensor slots = starts.index_select(0, owners).add_(pairs.index_select(0, places));
        return Optional.of(new Pairs(slots, gains.index_select(0, places)));
    }

    private Tensor unfolded(Batch batch, LabelSelection some) {
        int documents = batch.lengths().length;
        int count = count(some);
        Tensor weights = torch.zeros(new long[] {(long) documents * count * batch.width()}, compute.floatOptions());
        pairs(batch, some).ifPresent(pairs -> weights.scatter_(0, pairs.slots, pairs.gains));
        return weights.view(documents, batch.width(), count);
    }

    /** A few labels are looked up one by one. */
    private Tensor looked(Batch batch, LabelSelection.Ids asked) {
        Tensor here = asked.ids().cpu();
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
                weights[j * count + i] = gainOf[(int) ids[j]];
            }
            for (int token : tokens) {
                gainOf[token] = 0;
            }
        }
        return compute.toDevice(Tensor.create(weights, batch.lengths().length, batch.width(), count));
    }

    @Override
    public void close() {
        pairs.close();
        gains.close();
    }
}
