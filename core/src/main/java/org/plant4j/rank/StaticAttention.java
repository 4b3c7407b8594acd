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
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Static attention from mutual information alone (paper, equation 5): the gain of each token of a document, per label.
 * It has no trainable parameters.
 *
 * <p>The gains of a label are scaled to a maximum of 1, and the gains of a document divided by one plus their sum. So
 * the weights of a label sum to less than 1 in documents of any length, and are small if few tokens support the label.
 *
 * <p>Only pairs with a gain are stored, sorted by token and then label; a batch looks up those of its tokens.
 */
public final class StaticAttention implements AutoCloseable {

    private final Relevance relevance;
    private final Compute compute;
    private final int[] starts; // by token, into the pairs below, and their number
    private final Tensor pairs; // token · L + label, ascending
    private final Tensor gains; // of the pairs

    public StaticAttention(Relevance relevance, int vocabularySize, Compute compute) {
        this.relevance = relevance;
        this.compute = compute;
        this.starts = tokenStarts(relevance, vocabularySize);
        long[] pairIds = new long[starts[vocabularySize]];
        float[] pairGains = new float[pairIds.length];
        int[] ends = starts.clone();
        for (int label = 0; label < relevance.labels(); label++) {
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaledGains(label);
            for (int i = 0; i < tokens.length; i++) {
                int at = ends[tokens[i]]++;
                pairIds[at] = (long) tokens[i] * relevance.labels() + label;
                pairGains[at] = scaled[i];
            }
        }
        boolean empty = pairIds.length == 0; // Tensor.create rejects empty arrays
        this.pairs = retained(
                empty ? torch.zeros(new long[] {0}, new TensorOptions(torch.ScalarType.Long)) : Tensor.create(pairIds));
        this.gains = retained(empty ? torch.zeros(0) : Tensor.create(pairGains));
    }

    private static int[] tokenStarts(Relevance relevance, int vocabularySize) {
        int[] starts = new int[vocabularySize + 1];
        for (int label = 0; label < relevance.labels(); label++) {
            for (int token : relevance.tokens(label)) {
                starts[token + 1]++;
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        return starts;
    }

    private Tensor retained(Tensor tensor) {
        Tensor placed = compute.toDevice(tensor);
        placed.retainReference();
        return placed;
    }

    private float[] scaledGains(int label) {
        float[] scaled = relevance.gains(label);
        for (int i = scaled.length - 1; i >= 0; i--) {
            scaled[i] /= scaled[0]; // the first is the maximum, so it is scaled last
        }
        return scaled;
    }

    public Relevance relevance() {
        return relevance;
    }

    /** Attention weights (B, T, L) of the selected labels. */
    public Tensor forward(Batch batch, LabelSelection labels) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor weights =
                    labels instanceof LabelSelection.Ids ids ? denseGains(batch, ids) : denseGains(batch, labels);
            return weights.div_(
                    weights.sum(new long[] {1}, true, new ScalarTypeOptional()).add_(new Scalar(1f)));
        }
    }

    /**
     * The nonzero attention weights.
     *
     * @param slots flat positions in (B, T, L)
     * @param rows flat positions in (B, L)
     */
    public record SparseAttention(Tensor slots, Tensor rows, Tensor weights) {}

    /** The nonzero attention weights of all labels or a label range; empty if there are none. */
    public Optional<SparseAttention> sparse(Batch batch, LabelSelection labels) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            int count = count(labels);
            return pairs(batch, labels).map(found -> {
                Tensor rows = found.slots
                        .floor_divide(new Scalar((long) batch.width() * count))
                        .mul_(new Scalar((long) count))
                        .add_(found.slots.remainder(new Scalar((long) count)));
                Tensor sums = torch.ones(new long[] {(long) batch.lengths().length * count}, compute.floatOptions())
                        .index_add_(0, rows, found.gains);
                return new SparseAttention(found.slots, rows, found.gains.div(sums.index_select(0, rows)));
            });
        }
    }

    private int count(LabelSelection labels) {
        return labels instanceof LabelSelection.Range range ? range.count() : relevance.labels();
    }

    /** Flat positions in (B, T, L) with their gains. */
    private record BatchPairs(Tensor slots, Tensor gains) {}

    /** For each token of a batch, start and number of its stored pairs (B · T). */
    private record PairRanges(Tensor starts, Tensor sizes, long total) {}

    /** For all labels the ranges are known in Java, so there is no need to wait for a GPU. */
    private PairRanges rangesOfAllLabels(long[] ids) {
        long[] from = new long[ids.length];
        long[] sizes = new long[ids.length];
        long total = 0;
        for (int i = 0; i < ids.length; i++) {
            int token = (int) ids[i];
            from[i] = starts[token];
            sizes[i] = (long) starts[token + 1] - starts[token];
            total += sizes[i];
        }
        return new PairRanges(compute.toDevice(Tensor.create(from)), compute.toDevice(Tensor.create(sizes)), total);
    }

    /** For a label range they are searched on the device: a search per token in Java takes longer than the products. */
    private PairRanges rangesOf(LabelSelection.Range range, Tensor tokenStarts) {
        Tensor from = torch.searchsorted(pairs, tokenStarts.add(new Scalar((long) range.first())));
        Tensor to = torch.searchsorted(pairs, tokenStarts.add(new Scalar((long) range.first() + range.count())));
        Tensor sizes = to.sub_(from);
        return new PairRanges(from, sizes, sizes.sum().item_long());
    }

    /** Collects the stored pairs of all tokens of the batch. */
    private Optional<BatchPairs> pairs(Batch batch, LabelSelection labels) {
        int first = labels instanceof LabelSelection.Range range ? range.first() : 0;
        Tensor tokenStarts = TokenOccurrences.tokens(batch.tokens()).flatten().mul(new Scalar((long)
                relevance.labels())); // (B · T), of label 0
        PairRanges ranges = labels instanceof LabelSelection.Range range
                ? rangesOf(range, tokenStarts)
                : rangesOfAllLabels(TokenOccurrences.tokens(batch.ids()));
        if (ranges.total == 0) {
            return Optional.empty();
        }
        Tensor owners = torch.repeat_interleave(ranges.sizes, new LongOptional(ranges.total)); // token of each pair (N)
        Tensor shifts = ranges.starts.add(ranges.sizes).sub_(ranges.sizes.cumsum(0));
        Tensor stored = torch.arange(new Scalar(ranges.total), owners.options()).add_(shifts.index_select(0, owners));
        // The slot of a pair is position · count + label − first, and its label is the pair less the token's start.
        Tensor offsets = torch.arange(new Scalar((long) batch.ids().length), owners.options())
                .mul_(new Scalar((long) count(labels)))
                .sub_(tokenStarts.add(new Scalar((long) first)));
        Tensor slots = offsets.index_select(0, owners).add_(pairs.index_select(0, stored));
        return Optional.of(new BatchPairs(slots, gains.index_select(0, stored)));
    }

    /** Gains (B, T, L) of all labels or a label range. */
    private Tensor denseGains(Batch batch, LabelSelection labels) {
        int documents = batch.lengths().length;
        int count = count(labels);
        Tensor dense = torch.zeros(new long[] {(long) documents * count * batch.width()}, compute.floatOptions());
        pairs(batch, labels).ifPresent(found -> dense.scatter_(0, found.slots, found.gains));
        return dense.view(documents, batch.width(), count);
    }

    /** Gains (B, T, L) of a few labels, which are looked up one by one. */
    private Tensor denseGains(Batch batch, LabelSelection.Ids labels) {
        Tensor labelIds = labels.ids().cpu();
        int count = (int) labelIds.numel();
        long[] ids = TokenOccurrences.tokens(batch.ids());
        float[] dense = new float[count * ids.length];
        float[] gainOf = new float[starts.length]; // by token, of the current label
        for (int i = 0; i < count; i++) {
            int label = (int) labelIds.data_ptr_long().get(i);
            int[] tokens = relevance.tokens(label);
            float[] scaled = scaledGains(label);
            for (int j = 0; j < tokens.length; j++) {
                gainOf[tokens[j]] = scaled[j];
            }
            for (int j = 0; j < ids.length; j++) {
                dense[j * count + i] = gainOf[(int) ids[j]];
            }
            for (int token : tokens) {
                gainOf[token] = 0;
            }
        }
        return compute.toDevice(Tensor.create(dense, batch.lengths().length, batch.width(), count));
    }

    @Override
    public void close() {
        pairs.close();
        gains.close();
    }
}
