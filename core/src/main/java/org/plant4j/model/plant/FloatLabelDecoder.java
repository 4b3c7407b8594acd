package org.plant4j.model.plant;

import java.util.ArrayList;
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

/**
 * Approximate logits by products in bfloat16 or float32. The rows of the labels are stored side by side, so that one batched
 * product gives the attention scores of all sources and the token logits of a range of labels: (N + 1, L, T) for N sources.
 * In this layout, a softmax runs over adjacent values. Null tokens are one more column with the score log n and the token
 * logit 0.
 */
final class FloatLabelDecoder implements ApproximateLogits.LabelDecoder {

    /** Bytes of the product of a label range, which is several times faster if it stays in the cache. */
    private static final long CACHE = 8L << 20;

    /** Products with fewer labels are slow. */
    private static final long MIN_LABELS = 128;

    private final List<ApproximateLogits.Source> sources;
    private final AttentionScales scales;
    private final int nullTokens;
    private final Tensor rows; // (N + 1, L, D): queries of the sources, then weights

    FloatLabelDecoder(
            List<ApproximateLogits.Source> sources,
            ReducedRows weights,
            AttentionScales scales,
            int nullTokens,
            torch.ScalarType type) {
        this.sources = sources;
        this.scales = scales;
        this.nullTokens = nullTokens;
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            List<Tensor> all = new ArrayList<>();
            sources.forEach(source -> all.add(source.queries().rows()));
            all.add(weights.rows());
            rows = stack(all, 0).to(type);
            rows.retainReference();
        }
    }

    @Override
    public void addLogits(
            Tensor sum, List<Tensor> inputs, StaticAttention.@Nullable DocumentAttention staticAttention) {
        Tensor stacked =
                stack(inputs, nullTokens == 0 ? 0 : 1).to(rows.scalar_type()).transpose(1, 2); // (N + 1, D, T)
        long columns = stacked.size(2);
        Pairs pairs = staticAttention == null ? null : Pairs.of(staticAttention, columns);
        long count = Math.max(MIN_LABELS, CACHE / (columns * rows.size(0) * rows.element_size()));
        for (long first = 0; first < sum.size(0); first += count) {
            try (PointerScope scope = new PointerScope()) {
                long labels = Math.min(count, sum.size(0) - first);
                sum.narrow(0, first, labels).add_(logits(stacked, pairs, first, labels));
            }
        }
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
                logits.addcmul_(sums.select(0, i), scales.value(sources.get(i).scale()));
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
    }
}
