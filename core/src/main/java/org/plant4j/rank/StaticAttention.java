package org.plant4j.rank;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.bytedeco.pytorch.InferenceMode;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.TokenOccurrences;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.ParallelTasks;

/**
 * Static attention from mutual information alone (paper, equation 5): the gain of each token of a document, per label.
 * It has no trainable parameters.
 *
 * <p>{@link Weights#NORMALIZED}: the gains of a label are scaled to a maximum of 1, and the gains of a document divided by
 * one plus their sum. So the weights of a label sum to less than 1 in documents of any length, and are small if few tokens
 * support the label.
 *
 * <p>Only pairs with a gain are stored, sorted by token and then label; a batch looks up those of its tokens.
 */
public final class StaticAttention implements AutoCloseable {

    /** How gains become attention weights. */
    public enum Weights {
        NORMALIZED,
        /** The gains themselves, as in the paper; their sum grows with the length of the document. */
        GAIN
    }

    private final Relevance relevance;
    private final Compute compute;
    private final int vocabularySize;
    private final Weights kind;
    private @Nullable Pairs pairs; // built when first used: not at all if labels are always listed
    private @Nullable PairTable table; // the same for kernels, likewise
    private @Nullable PairsByToken pairsByToken; // the same for single documents, likewise

    /**
     * The pairs with a gain.
     *
     * @param starts by token, into the pairs, and their number
     * @param ids token · L + label, ascending
     * @param gains of the pairs
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pairs(int[] starts, Tensor ids, Tensor gains) {}

    public StaticAttention(Relevance relevance, int vocabularySize, Compute compute) {
        this(relevance, vocabularySize, Weights.NORMALIZED, compute);
    }

    public StaticAttention(Relevance relevance, int vocabularySize, Weights kind, Compute compute) {
        this.relevance = relevance;
        this.kind = kind;
        this.vocabularySize = vocabularySize;
        this.compute = compute;
    }

    private synchronized Pairs pairs() {
        if (pairs == null) {
            pairs = buildPairs();
        }
        return pairs;
    }

    /**
     * The pairs as kernels read them, on the device.
     *
     * @param starts by token, into the pairs, and their number: (V + 1)
     * @param labels of the pairs, ascending for each token
     * @param gains of the pairs
     */
    public record PairTable(Tensor starts, Tensor labels, Tensor gains) {}

    public synchronized PairTable table() {
        if (table == null) {
            PairsByToken sorted = sortByToken();
            table = new PairTable(
                    retained(Tensor.create(sorted.starts())), tensor(sorted.labels()), tensor(sorted.gains()));
        }
        return table;
    }

    private Pairs buildPairs() {
        PairsByToken sorted = sortByToken();
        long[] ids = new long[sorted.labels().length];
        for (int token = 0; token < vocabularySize; token++) {
            for (int pair = sorted.starts()[token]; pair < sorted.starts()[token + 1]; pair++) {
                ids[pair] = (long) token * relevance.labels() + sorted.labels()[pair];
            }
        }
        boolean empty = ids.length == 0; // Tensor.create rejects empty arrays
        return new Pairs(
                sorted.starts(),
                retained(
                        empty
                                ? torch.zeros(new long[] {0}, new TensorOptions(torch.ScalarType.Long))
                                : Tensor.create(ids)),
                tensor(sorted.gains()));
    }

    /** The attention of all labels over the tokens of a document. */
    public DocumentAttention ofDocument(long[] tokens) {
        PairsByToken pairs = cachedPairs();
        // A block has a counter per label, so blocks with fewer pairs than labels cost more than they save.
        long useful = Math.max(1, pairs.count(tokens) / Math.max(1, relevance.labels()));
        int blocks = (int) Math.min(useful, Math.min(ParallelTasks.threads(), tokens.length));
        return DocumentAttention.of(tokens, blocks, pairs, relevance.labels(), kind, compute);
    }

    private synchronized PairsByToken cachedPairs() {
        if (pairsByToken == null) {
            pairsByToken = sortByToken();
        }
        return pairsByToken;
    }

    private PairsByToken sortByToken() {
        int[] starts = relevance.tokenStarts(vocabularySize);
        int[] labels = new int[starts[vocabularySize]];
        float[] gains = new float[labels.length];
        int[] ends = starts.clone();
        for (int label = 0; label < relevance.labels(); label++) {
            int[] tokens = relevance.tokens(label);
            float[] scaled = kind == Weights.GAIN ? relevance.gains(label) : scaledGains(label);
            for (int i = 0; i < tokens.length; i++) {
                int at = ends[tokens[i]]++;
                labels[at] = label;
                gains[at] = scaled[i];
            }
        }
        return new PairsByToken(starts, labels, gains);
    }

    private Tensor tensor(int[] values) {
        return retained(
                values.length == 0
                        ? torch.zeros(new long[] {0}, new TensorOptions(torch.ScalarType.Int))
                        : Tensor.create(values));
    }

    private Tensor tensor(float[] values) {
        return retained(values.length == 0 ? torch.zeros(0) : Tensor.create(values));
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
            Optional<int[]> listed = listed(labels);
            if (listed.isPresent() && !compute.cuda()) {
                return denseWeights(batch, listed.get(), count(labels));
            }
            Tensor weights = listed.map(ids -> restricted(ids, attention -> attention.denseGains(batch, allOf(labels))))
                    .orElseGet(() -> denseGains(batch, labels));
            return kind == Weights.GAIN
                    ? weights
                    : weights.div_(weights.sum(new long[] {1}, true, new ScalarTypeOptional())
                            .add_(new Scalar(1f)));
        }
    }

    /**
     * The nonzero attention weights.
     *
     * @param slots flat positions in (B, T, L)
     * @param rows flat positions in (B, L)
     */
    public record SparseAttention(Tensor slots, Tensor rows, Tensor weights) {}

    /** The nonzero attention weights of the selected labels; empty if there are none. */
    public Optional<SparseAttention> sparse(Batch batch, LabelSelection labels) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Optional<int[]> listed = listed(labels);
            if (listed.isPresent() && !compute.cuda()) {
                return lookup().sparse(batch, listed.get(), count(labels));
            }
            return listed.map(ids -> restricted(ids, attention -> attention.sparseGains(batch, allOf(labels))))
                    .orElseGet(() -> sparseGains(batch, labels));
        }
    }

    /**
     * The logits (B, L) of token logits (B, T, L) under this attention, in a prediction for all labels or a label range on a
     * CPU; otherwise empty, and {@link #sparse} has the weights.
     */
    public Optional<Tensor> logits(Batch batch, LabelSelection labels, Tensor tokenLogits) {
        boolean supported = InferenceMode.is_enabled()
                && !compute.cuda()
                && tokenLogits.scalar_type().intern() == torch.ScalarType.Float
                && tokenLogits.is_contiguous()
                && tokenLogits.numel() <= Integer.MAX_VALUE / Float.BYTES; // the size of a buffer of bytes
        return supported
                ? LabelSelection.Range.of(labels, relevance.labels())
                        .map(range -> new StaticLogits(cachedPairs(), range, kind).of(batch, tokenLogits))
                : Optional.empty();
    }

    private Optional<SparseAttention> sparseGains(Batch batch, LabelSelection labels) {
        int count = count(labels);
        return pairs(batch, labels).map(found -> {
            Tensor rows = found.slots
                    .floor_divide(new Scalar((long) batch.width() * count))
                    .mul_(new Scalar((long) count))
                    .add_(found.slots.remainder(new Scalar((long) count)));
            if (kind == Weights.GAIN) {
                return new SparseAttention(found.slots, rows, found.gains);
            }
            Tensor sums = torch.ones(new long[] {(long) batch.lengths().length * count}, compute.floatOptions())
                    .index_add_(0, rows, found.gains);
            return new SparseAttention(found.slots, rows, found.gains.div(sums.index_select(0, rows)));
        });
    }

    private Tensor denseWeights(Batch batch, int[] labels, int columns) {
        int documents = batch.lengths().length;
        Tensor dense = torch.zeros(new long[] {(long) documents * batch.width() * columns}, compute.floatOptions());
        lookup().sparse(batch, labels, columns).ifPresent(found -> dense.scatter_(0, found.slots, found.weights));
        return dense.view(documents, batch.width(), columns);
    }

    private LabelLookup lookup() {
        return new LabelLookup(relevance, kind, vocabularySize);
    }

    /** The ids of labels that are neither all nor a range. */
    private static Optional<int[]> listed(LabelSelection labels) {
        if (labels instanceof LabelSelection.Padded padded) {
            return listed(padded.labels());
        }
        if (labels instanceof LabelSelection.Shortlisted shortlist) {
            return Optional.of(shortlist.selected());
        }
        if (!(labels instanceof LabelSelection.Ids chosen)) {
            return Optional.empty();
        }
        Tensor local = chosen.ids().cpu();
        int[] ids = new int[(int) local.numel()];
        Arrays.setAll(ids, i -> (int) local.data_ptr_long().get(i));
        return Optional.of(ids);
    }

    /** Applies a function to the attention of these labels alone: they have few pairs, so a table of their own is cheap. */
    private <T> T restricted(int[] labels, Function<StaticAttention, T> function) {
        try (StaticAttention attention =
                new StaticAttention(relevance.ofLabels(labels), vocabularySize, kind, compute)) {
            return function.apply(attention);
        }
    }

    /** All labels, padded as these. */
    private static LabelSelection allOf(LabelSelection labels) {
        return labels instanceof LabelSelection.Padded padded
                ? new LabelSelection.Padded(LabelSelection.ALL, padded.padding())
                : LabelSelection.ALL;
    }

    private int count(LabelSelection labels) {
        return labels.count(relevance.labels());
    }

    private static LabelSelection withoutPadding(LabelSelection labels) {
        return labels instanceof LabelSelection.Padded padded ? padded.labels() : labels;
    }

    /** Flat positions in (B, T, L) with their gains. */
    private record BatchPairs(Tensor slots, Tensor gains) {}

    /** For each token of a batch, start and number of its stored pairs (B · T). */
    private record PairRanges(Tensor starts, Tensor sizes, long total) {}

    /** For all labels the ranges are known in Java, so there is no need to wait for a GPU. */
    private PairRanges rangesOfAllLabels(long[] ids, int[] starts) {
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
    private static PairRanges rangesOf(LabelSelection.Range range, Tensor tokenStarts, Tensor pairs) {
        Tensor from = torch.searchsorted(pairs, tokenStarts.add(new Scalar((long) range.first())));
        Tensor to = torch.searchsorted(pairs, tokenStarts.add(new Scalar((long) range.first() + range.count())));
        Tensor sizes = to.sub_(from);
        return new PairRanges(from, sizes, sizes.sum().item_long());
    }

    /** Collects the stored pairs of all tokens of the batch. */
    private Optional<BatchPairs> pairs(Batch batch, LabelSelection labels) {
        Pairs all = pairs();
        LabelSelection unpadded = withoutPadding(labels);
        int first = unpadded instanceof LabelSelection.Range range ? range.first() : 0;
        Tensor tokenStarts = TokenOccurrences.tokens(batch.tokens()).flatten().mul(new Scalar((long)
                relevance.labels())); // (B · T), of label 0
        PairRanges ranges = unpadded instanceof LabelSelection.Range range
                ? rangesOf(range, tokenStarts, all.ids)
                : rangesOfAllLabels(TokenOccurrences.tokens(batch.ids()), all.starts);
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
        Tensor slots = offsets.index_select(0, owners).add_(all.ids.index_select(0, stored));
        return Optional.of(new BatchPairs(slots, all.gains.index_select(0, stored)));
    }

    /** Gains (B, T, L) of all labels or a label range. */
    private Tensor denseGains(Batch batch, LabelSelection labels) {
        int documents = batch.lengths().length;
        int count = count(labels);
        Tensor dense = torch.zeros(new long[] {(long) documents * count * batch.width()}, compute.floatOptions());
        pairs(batch, labels).ifPresent(found -> dense.scatter_(0, found.slots, found.gains));
        return dense.view(documents, batch.width(), count);
    }

    @Override
    public synchronized void close() {
        if (pairs != null) {
            pairs.ids.close();
            pairs.gains.close();
            pairs = null;
        }
        if (table != null) {
            table.starts.close();
            table.labels.close();
            table.gains.close();
            table = null;
        }
    }
}
