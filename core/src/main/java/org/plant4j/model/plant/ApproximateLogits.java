package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Engine;

/**
 * Approximate logits of all labels on a CPU, for a fraction of the time of exact ones. They choose the labels that are
 * scored exactly.
 *
 * <p>The rows of the labels are reduced to few dimensions ({@link ReducedRows}) and stored side by side, so that one
 * batched product gives the attention scores of all softmax sources and the token logits of a range of labels: (N + 1, L,
 * T) for N sources. In this layout, a softmax runs over adjacent values. Null tokens are one more column with the score
 * log n and the token logit 0. All of it is in bfloat16 if the CPU has instructions for it.
 */
final class ApproximateLogits implements AutoCloseable {

    /**
     * Dimensions of label rows: all those of usual rankers, whose reduction would make shortlists several times longer, and
     * more than on a GPU, since shorter shortlists save the time.
     */
    static final int SIZE = 128;

    /** Bytes of the product of a label range, which is several times faster if it stays in the cache. */
    private static final long CACHE = 8L << 20;

    /** Products with fewer labels are slow. */
    private static final long MIN_LABELS = 128;

    /**
     * A source of attention that is a softmax over tokens.
     *
     * @param queries one row per label
     * @param ofRanker whether the queries are multiplied by the ranker's features of the tokens, not by hidden states
     * @param scale index of its scale
     */
    record Source(ReducedRows queries, boolean ofRanker, int scale) {}

    private final List<Source> sources;
    private final ReducedRows weights;
    private final @Nullable StaticAttention staticAttention;
    private final AttentionScales scales;
    private final int nullTokens;
    private final Tensor rows; // (N + 1, L, D): queries of the sources, then weights

    /** Takes over the reduced rows, which {@link #close} closes. */
    ApproximateLogits(
            List<Source> sources,
            ReducedRows weights,
            @Nullable StaticAttention staticAttention,
            AttentionScales scales,
            int nullTokens) {
        this.sources = sources;
        this.weights = weights;
        this.staticAttention = staticAttention;
        this.scales = scales;
        this.nullTokens = nullTokens;
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            List<Tensor> all = new ArrayList<>();
            sources.forEach(source -> all.add(source.queries.rows()));
            all.add(weights.rows());
            torch.ScalarType type = Engine.hasFastBfloat16() ? torch.ScalarType.BFloat16 : torch.ScalarType.Float;
            rows = stack(all, 0).to(type);
            rows.retainReference();
        }
    }

    /** Adds the logits of a segment to {@code sum} (B, L). */
    void addTo(Tensor sum, Batch segment, Plant.Encoded encoding) {
        for (int row = 0; row < segment.lengths().length; row++) {
            if (segment.lengths()[row] > 0) {
                try (PointerScope scope = new PointerScope()) {
                    addTo(sum.select(0, row), segment.row(row), encoding, row);
                }
            }
        }
    }

    private void addTo(Tensor sum, Batch document, Plant.Encoded encoding, int row) {
        int tokens = document.lengths()[0];
        Tensor hiddenStates = tokens(encoding.hiddenStates(), row, tokens);
        List<Tensor> projected = new ArrayList<>();
        for (Source source : sources) {
            projected.add(source.queries.project(
                    source.ofRanker ? tokens(encoding.tokenFeatures().orElseThrow(), row, tokens) : hiddenStates));
        }
        projected.add(weights.project(hiddenStates));
        Tensor inputs =
                stack(projected, nullTokens == 0 ? 0 : 1).to(rows.scalar_type()).transpose(1, 2); // (N + 1, D, T)
        Pairs pairs = staticAttention == null
                ? null
                : Pairs.of(staticAttention.ofDocument(Arrays.copyOf(document.ids(), tokens)), inputs.size(2));
        long columns = inputs.size(2);
        long count = Math.max(MIN_LABELS, CACHE / (columns * rows.size(0) * rows.element_size()));
        for (long first = 0; first < sum.size(0); first += count) {
            try (PointerScope scope = new PointerScope()) {
                long labels = Math.min(count, sum.size(0) - first);
                sum.narrow(0, first, labels).add_(logits(inputs, pairs, first, labels));
            }
        }
    }

    /** (T, H) of one document in float32. */
    private static Tensor tokens(Tensor states, int row, int tokens) {
        return states.select(0, row).narrow(0, 0, tokens).to(torch.ScalarType.Float);
    }

    /** Logits (L) of a label range; {@code inputs} are (N + 1, D, T). */
    private Tensor logits(Tensor inputs, @Nullable Pairs pairs, long first, long labels) {
        Tensor products = torch.bmm(rows.narrow(1, first, labels), inputs); // (N + 1, L, T)
        Tensor tokenLogits = products.select(0, sources.size()); // (L, T)
        Tensor logits = pairs == null
                ? torch.zeros(new long[] {labels}, scales.values().options())
                : pairs.logits(tokenLogits, first, labels).mul_(scales.value(1));
        if (!sources.isEmpty()) {
            Tensor attention = products.narrow(0, 0, sources.size());
            if (nullTokens > 0) {
                attention.select(2, attention.size(2) - 1).fill_(new Scalar(Math.log(nullTokens)));
            }
            torch.softmax_out(attention, attention, 2); // in place: each value is read before it is written
            // In the type of the products: sums of bfloat16 values to float32 are several times slower.
            Tensor sums = attention
                    .mul_(tokenLogits)
                    .sum(new long[] {2}, false, new ScalarTypeOptional())
                    .to(torch.ScalarType.Float); // (N, L)
            for (int i = 0; i < sources.size(); i++) {
                logits.addcmul_(sums.select(0, i), scales.value(sources.get(i).scale));
            }
        }
        return logits;
    }

    /** The nonzero weights of static attention in a document, by label. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pairs(int[] starts, Tensor slots, Tensor labels, Tensor weights, long columns) {

        static @Nullable Pairs of(StaticAttention.DocumentAttention attention, long columns) {
            int count = attention.positions().length;
            if (count == 0) {
                return null;
            }
            long[] slots = new long[count];
            long[] labels = new long[count];
            int[] starts = attention.starts();
            for (int label = 0; label + 1 < starts.length; label++) {
                for (int i = starts[label]; i < starts[label + 1]; i++) {
                    labels[i] = label;
                    slots[i] = label * columns + attention.positions()[i];
                }
            }
            return new Pairs(
                    starts, Tensor.create(slots), Tensor.create(labels), Tensor.create(attention.weights()), columns);
        }

        /** Logits (L) of a label range with these token logits (L, T). */
        Tensor logits(Tensor tokenLogits, long first, long count) {
            Tensor logits = torch.zeros(new long[] {count}, weights.options());
            int from = starts[(int) first];
            int size = starts[(int) (first + count)] - from;
            if (size > 0) {
                Tensor values = tokenLogits
                        .reshape(-1)
                        .index_select(0, slots.narrow(0, from, size).sub(new Scalar(first * columns)))
                        .to(torch.ScalarType.Float)
                        .mul_(weights.narrow(0, from, size));
                logits.index_add_(0, labels.narrow(0, from, size).sub(new Scalar(first)), values);
            }
            return logits;
        }
    }

    /** Matrices with as many rows and up to D columns to (N, rows + {@code moreRows}, D), filled with zeros. */
    private static Tensor stack(List<Tensor> matrices, int moreRows) {
        long size = matrices.stream().mapToLong(each -> each.size(1)).max().orElseThrow();
        return torch.stack(new TensorVector(matrices.stream()
                .map(each -> torch.constant_pad_nd(each, 0, size - each.size(1), 0, moreRows))
                .toArray(Tensor[]::new)));
    }

    @Override
    public void close() {
        rows.close();
        weights.close();
        sources.forEach(source -> source.queries.close());
    }
}
