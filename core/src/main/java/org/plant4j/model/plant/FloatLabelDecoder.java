package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.ParallelTasks;

/**
 * Approximate logits by products in bfloat16 or float32. The rows of the labels are stored side by side, so that one batched
 * product gives the attention scores of all sources and the token logits of a range of labels: (N + 1, L, T) for N sources.
 * In this layout, a softmax runs over adjacent values. Ranges are computed at the same time, one thread each: the operations of
 * a range are too short to be split over threads.
 */
final class FloatLabelDecoder implements ApproximateLogits.LabelDecoder {

    /** Bytes of the product of a label range, which is several times faster if it stays in the cache of a core. */
    private static final long CACHE = 1L << 20;

    /** Products with fewer labels are slow. */
    private static final long MIN_LABELS = 128;

    private final List<ApproximateLogits.Source> sources;
    private final AttentionScales scales;
    private final int nullTokens;
    private final Compute compute;
    private final Tensor rows; // (N + 1, L, D): queries of the sources, then weights

    FloatLabelDecoder(
            List<ApproximateLogits.Source> sources,
            ReducedRows weights,
            AttentionScales scales,
            int nullTokens,
            Compute compute,
            torch.ScalarType type) {
        this.sources = sources;
        this.scales = scales;
        this.nullTokens = nullTokens;
        this.compute = compute;
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            List<Tensor> all = new ArrayList<>();
            sources.forEach(source -> all.add(source.queries().rows()));
            all.add(weights.rows());
            rows = stack(all).to(type);
            rows.retainReference();
        }
    }

    @Override
    public void addLogits(Tensor sum, ApproximateLogits.Inputs inputs) {
        Tensor stacked = stack(inputs.projected()).to(rows.scalar_type()).transpose(1, 2); // (N + 1, D, T)
        long columns = stacked.size(2);
        Pairs pairs = inputs.staticAttention() == null ? null : Pairs.of(inputs.staticAttention(), columns);
        long count = Math.max(MIN_LABELS, CACHE / (columns * rows.size(0) * rows.element_size()));
        int ranges = (int) ((sum.size(0) + count - 1) / count);
        ParallelTasks.forEach(compute, ranges, () -> {
            // Memory of this size that is allocated for each range would be mapped again each time.
            Tensor products = torch.zeros(new long[] {rows.size(0), count, columns}, rows.options());
            return range -> {
                long first = range * count;
                long labels = Math.min(count, sum.size(0) - first);
                Tensor ofRange = labels == count
                        ? torch.bmm_out(products, rows.narrow(1, first, labels), stacked)
                        : torch.bmm(rows.narrow(1, first, labels), stacked); // (N + 1, L, T)
                sum.narrow(0, first, labels).add_(logits(ofRange, inputs.bounded(), pairs, first));
            };
        });
    }

    /** Logits (L) of a label range. */
    private Tensor logits(Tensor products, List<Boolean> bounded, @Nullable Pairs pairs, long first) {
        Tensor tokenLogits = products.select(0, sources.size()); // (L, T)
        long labels = tokenLogits.size(0);
        Tensor logits = pairs == null
                ? torch.zeros(new long[] {labels}, scales.values().options())
                : pairs.logits(tokenLogits, first, labels).mul_(scales.value(1));
        for (int i = 0; i < sources.size(); i++) {
            logits.addcmul_(
                    ApproximateLogits.attend(products.select(0, i), tokenLogits, 1, nullTokens, bounded.get(i)),
                    scales.value(sources.get(i).scale()));
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

    /** Matrices with as many rows and up to D columns to (N, rows, D), filled with zeros. */
    private static Tensor stack(List<Tensor> matrices) {
        long size = matrices.stream().mapToLong(each -> each.size(1)).max().orElseThrow();
        return torch.stack(new TensorVector(matrices.stream()
                .map(each -> torch.constant_pad_nd(each, 0, size - each.size(1)))
                .toArray(Tensor[]::new)));
    }

    @Override
    public void close() {
        rows.close();
    }
}
