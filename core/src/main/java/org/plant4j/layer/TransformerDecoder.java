package org.plant4j.layer;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Compute;

/** A transformer's decoder over a set: its members know neither first nor last, look at each other and at a text. */
public final class TransformerDecoder extends Layer {

    private final List<TransformerDecoderLayer> layers;

    public TransformerDecoder(int layers, int size, int heads, int intermediate, double dropout, Compute compute) {
        this.layers = IntStream.range(0, layers)
                .mapToObj(i -> submodule(
                        "layers." + i, new TransformerDecoderLayer(size, heads, intermediate, dropout, compute)))
                .toList();
    }

    /** A text as each layer sees it, {@code hidden} (B, T) where it has no token. */
    public record Memory(List<MultiHeadAttention.KeyValues> keyValues, Tensor paddingMask) {

        /** Some rows of the batch. */
        public Memory select(Tensor rows) {
            return new Memory(
                    keyValues.stream().map(layer -> layer.select(rows)).toList(), paddingMask.index_select(0, rows));
        }
    }

    /** States (B, T, H) made ready once for all that looks at them; {@code mask} is true for real tokens. */
    public Memory memory(Tensor states, Tensor mask) {
        return new Memory(layers.stream().map(layer -> layer.keyValues(states)).toList(), mask.logical_not());
    }

    /** (B, Q, H) to (B, Q, H); {@code hidden} (B, Q) where the set has no member, none: they are all there. */
    public Tensor forward(Tensor set, Optional<Tensor> hidden, Memory text, boolean training) {
        Tensor x = set;
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).forward(x, hidden, text.keyValues().get(i), text.paddingMask(), training);
        }
        return x;
    }
}
