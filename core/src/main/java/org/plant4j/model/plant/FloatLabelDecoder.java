package org.plant4j.model.plant;

import java.nio.FloatBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.javacpp.ShortPointer;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.ReducedRows;
import org.plant4j.rank.DocumentAttention;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.ParallelTasks;

/**
 * Approximate logits by products in bfloat16 or float32. The attention scores and token logits of a range of labels are (L, T),
 * so that a softmax runs over adjacent values. Ranges are computed at the same time, one thread each: the operations of a range
 * are too short to be split over threads.
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
    private final List<Tensor> rows = new ArrayList<>(); // (L, D) each: queries of the sources, then weights

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
            sources.forEach(source -> add(source.queries(), type));
            add(weights, type);
        }
    }

    private void add(ReducedRows reduced, torch.ScalarType type) {
        Tensor converted = reduced.rows().to(type, false, true, new MemoryFormatOptional()); // a copy, which is closed
        converted.retainReference();
        rows.add(converted);
    }

    @Override
    public void addLogits(Tensor sum, ApproximateLogits.Inputs inputs) {
        TensorOptions options = rows.get(0).options();
        List<Tensor> columns = inputs.projected().stream()
                .map(each -> each.to(rows.get(0).scalar_type()).t()) // (D, T)
                .toList();
        long tokens = columns.get(0).size(1);
        long count =
                Math.max(MIN_LABELS, CACHE / (tokens * rows.size() * rows.get(0).element_size()));
        int ranges = (int) ((sum.size(0) + count - 1) / count);
        ParallelTasks.forEach(compute, ranges, () -> {
            // Memory of this size that is allocated for each range would be mapped again each time.
            Tensor memory = torch.zeros(new long[] {rows.size(), count, tokens}, options);
            return range -> {
                long first = range * count;
                long labels = Math.min(count, sum.size(0) - first);
                List<Tensor> products = new ArrayList<>(); // (L, T) each
                for (int i = 0; i < rows.size(); i++) {
                    Tensor product = memory.select(0, i).narrow(0, 0, labels);
                    products.add(torch.mm_out(product, rows.get(i).narrow(0, first, labels), columns.get(i)));
                }
                sum.narrow(0, first, labels).add_(logits(products, inputs, first));
            };
        });
    }

    /** Logits (L) of a label range. */
    private Tensor logits(List<Tensor> products, ApproximateLogits.Inputs inputs, long first) {
        Tensor tokenLogits = products.get(sources.size());
        Tensor logits = inputs.staticAttention() == null
                ? torch.zeros(new long[] {tokenLogits.size(0)}, scales.values().options())
                : staticLogits(tokenLogits, inputs.staticAttention(), first).mul_(scales.value(1));
        for (int i = 0; i < sources.size(); i++) {
            logits.addcmul_(
                    ApproximateLogits.attend(
                            products.get(i),
                            tokenLogits,
                            1,
                            nullTokens,
                            inputs.bounded().get(i)),
                    scales.value(sources.get(i).scale()));
        }
        return logits;
    }

    /** Logits (L) of static attention for a label range with these token logits (L, T). */
    private static Tensor staticLogits(Tensor tokenLogits, DocumentAttention attention, long first) {
        int columns = (int) tokenLogits.size(1);
        DocumentAttention.TokenLogits values = values(tokenLogits);
        float[] logits = new float[(int) tokenLogits.size(0)];
        for (int i = 0; i < logits.length; i++) {
            int start = i * columns;
            logits[i] = attention.logit((int) first + i, position -> values.at(start + position));
        }
        return Tensor.create(logits);
    }

    /** The values of a contiguous tensor by index. */
    private static DocumentAttention.TokenLogits values(Tensor tensor) {
        Pointer data = tensor.data_ptr();
        if (tensor.element_size() == Short.BYTES) {
            ShortBuffer bits = new ShortPointer(data).capacity(tensor.numel()).asBuffer();
            return index -> Float.intBitsToFloat(bits.get(index) << 16); // bfloat16 is the upper half of a float
        }
        FloatBuffer floats = new FloatPointer(data).capacity(tensor.numel()).asBuffer();
        return floats::get;
    }

    @Override
    public void close() {
        rows.forEach(Tensor::close);
    }
}
