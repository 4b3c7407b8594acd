package org.plant4j.model.description;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.LabelSelection;
import org.plant4j.tensor.TensorScope;

/**
 * Labels in chunks, each with packed weights, so that the tensors of a chunk stay in the cache of a CPU.
 *
 * @param <C> the weights of a chunk
 */
final class LabelChunks<C extends LabelChunks.Chunk> implements AutoCloseable {

    /** The packed weights of a label range. */
    interface Chunk extends AutoCloseable {

        LabelSelection.Range labels();

        @Override
        void close();
    }

    private final List<C> chunks = new ArrayList<>();

    LabelChunks(int labels, int labelsPerChunk, Function<LabelSelection.Range, C> packing) {
        for (int first = 0; first < labels; first += labelsPerChunk) {
            chunks.add(packing.apply(new LabelSelection.Range(first, Math.min(labelsPerChunk, labels - first))));
        }
    }

    /** Logits (N, L) of a label range, from the logits of the chunks that cover it. */
    Tensor logits(LabelSelection.Range range, Function<C, Tensor> decoder) {
        List<C> covering =
                chunks.stream().filter(chunk -> overlap(chunk.labels(), range)).toList();
        Tensor[] logits = covering.stream()
                .map(chunk -> TensorScope.run(() -> decoder.apply(chunk)))
                .toArray(Tensor[]::new);
        int first = covering.get(0).labels().first();
        return torch.cat(new TensorVector(logits), 1).narrow(1, range.first() - first, range.count());
    }

    private static boolean overlap(LabelSelection.Range one, LabelSelection.Range other) {
        return one.first() < other.first() + other.count() && other.first() < one.first() + one.count();
    }

    @Override
    public void close() {
        chunks.forEach(Chunk::close);
    }
}
