package org.plant4j.nn;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.bytedeco.pytorch.Tensor;

/** A transformer's decoder over a set: its members know neither first nor last, look at each other and at a text. */
public final class TransformerDecoder extends Layer {

    private final List<DecoderLayer> layers;

    public TransformerDecoder(int layers, int size, int heads, int intermediate, double dropout, Compute compute) {
        this.layers = IntStream.range(0, layers)
                .mapToObj(i -> part("layers." + i, new DecoderLayer(size, heads, intermediate, dropout, compute)))
                .toList();
    }

    /** A text as each layer sees it, {@code hidden} (B, T) where it has no token. */
    public record Text(List<MultiHeadAttention.Seen> layers, Tensor hidden) {

        /** Some rows of the batch. */
        public Text of(Tensor rows) {
            return new Text(layers.stream().map(layer -> layer.of(rows)).toList(), hidden.index_select(0, rows));
        }
    }

    /** States (B, T, H) made ready once for all that looks at them; {@code mask} is true for real tokens. */
    public Text read(Tensor states, Tensor mask) {
        return new Text(layers.stream().map(layer -> layer.see(states)).toList(), mask.logical_not());
    }

    /** (B, Q, H) to (B, Q, H); {@code hidden} (B, Q) where the set has no member, none: they are all there. */
    public Tensor forward(Tensor set, Optional<Tensor> hidden, Text text, boolean training) {
        Tensor x = set;
        for (int i = 0; i < layers.size(); i++) {
            x = layers.get(i).forward(x, hidden, text.layers().get(i), text.hidden(), training);
        }
        return x;
    }
}
