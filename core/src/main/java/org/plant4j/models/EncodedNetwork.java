package org.plant4j.models;

import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Dropout;
import org.plant4j.nn.Embedding;
import org.plant4j.nn.Encoder;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Memory;

/** A network that reads with one of the encoders; what labels make of the states is its own. */
abstract class EncodedNetwork extends LabelNetwork {

    private final Encoder encoder;
    private final boolean lexical;
    private final int width;
    private final Dropout dropout;

    /** {@code lexical} joins a token's own vector to its state; {@code dropout} is that of both. */
    EncodedNetwork(EncodedConfig config, boolean lexical, double dropout, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        this.lexical = lexical;
        this.dropout = new Dropout(dropout);
        encoder = part("encoder", config.encoder().build(vocabulary, compute));
        width = encoder.width() + (lexical ? config.embedding() : 0);
    }

    final Encoder encoder() {
        return encoder;
    }

    /** Numbers a state: H. */
    final int width() {
        return width;
    }

    /** States (B, T, H) of texts, going on from what was read before. */
    final Encoder.Encoded read(Batch texts, Memory before) {
        Encoder.Encoded read = encoder.forward(texts, before);
        Tensor states = lexical
                ? torch.cat(new TensorVector(read.states(), embedding().forward(texts.tokens())), -1)
                : read.states();
        return new Encoder.Encoded(dropout.forward(states, texts), read.after());
    }

    /** States (B, T, H) of whole texts. */
    final Tensor states(Batch texts) {
        return read(texts, Memory.NONE).states();
    }

    @Override
    public void start(Path learned) {
        encoder.start(learned);
    }

    @Override
    public final Embedding embedding() {
        return encoder.embedding();
    }

    @Override
    final List<Layer> encoderLayers() {
        return encoder.layers();
    }
}
