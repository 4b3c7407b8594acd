package org.plant4j.layer.transformer;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Compute;

/** Transformer decoder over a set of queries without order: they attend to each other and to an encoded document. */
public final class TransformerDecoder extends Layer {

    private final List<TransformerDecoderLayer> layers;

    public TransformerDecoder(int layers, int size, int heads, int intermediate, double dropout, Compute compute) {
        this.layers = IntStream.range(0, layers)
                .mapToObj(i -> submodule(
                        "layers." + i, new TransformerDecoderLayer(size, heads, intermediate, dropout, compute)))
                .toList();
    }

    /** Keys and values of the encoded documents for each layer, and {@code paddingMask} (B, T), true at padding. */
    public record Memory(List<MultiHeadAttention.KeyValues> keyValues, Tensor paddingMask) {

        /** The given rows of the batch. */
        public Memory select(Tensor rows) {
            return new Memory(
                    keyValues.stream().map(layer -> layer.select(rows)).toList(), paddingMask.index_select(0, rows));
        }
    }

    /** Projects hidden states (B, T, H) once for every use; {@code mask} (B, T) is true for real tokens. */
    public Memory memory(Tensor hiddenStates, Tensor mask) {
        return new Memory(
                layers.stream().map(layer -> layer.keyValues(hiddenStates)).toList(), mask.logical_not());
    }

    /** Queries (B, Q, H) to (B, Q, H); {@code paddingMask} (B, Q) is true at absent queries, empty if all are present. */
    public Tensor forward(Tensor queries, Optional<Tensor> paddingMask, Memory memory, boolean training) {
        Tensor x = queries;
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).forward(x, paddingMask, memory.keyValues().get(i), memory.paddingMask(), training);
        }
        return x;
    }
}
