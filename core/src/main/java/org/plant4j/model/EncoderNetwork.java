package org.plant4j.model;

import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/** A network that reads with one of the encoders; what labels make of the states is its own. */
public abstract class EncoderNetwork<E extends Encoding<E>> extends LabelNetwork<E> {

    private final Encoder encoder;
    private final boolean lexical;
    private final int hiddenSize;
    private final Dropout dropout;

    /** {@code lexical} joins a token's own vector to its state; {@code dropout} is that of both. */
    public EncoderNetwork(
            EncoderNetworkConfig config, boolean lexical, double dropout, int vocabulary, int labels, Compute compute) {
        super(labels, compute);
        this.lexical = lexical;
        this.dropout = new Dropout(dropout);
        encoder = submodule("encoder", config.encoder().build(vocabulary, compute));
        hiddenSize = encoder.hiddenSize() + (lexical ? config.embedding() : 0);
    }

    public final Encoder encoder() {
        return encoder;
    }

    /** Numbers a state: H. */
    public final int hiddenSize() {
        return hiddenSize;
    }

    /** States (B, T, H) of texts, going on from what was read before. */
    public final Encoder.Output encodeTokens(Batch texts, EncoderState before) {
        Encoder.Output read = encoder.forward(texts, before);
        Tensor states = lexical
                ? torch.cat(new TensorVector(read.hiddenStates(), embedding().forward(texts.tokens())), -1)
                : read.hiddenStates();
        return new Encoder.Output(dropout.forward(states, texts), read.state());
    }

    /** States (B, T, H) of whole texts. */
    public final Tensor hiddenStates(Batch texts) {
        return encodeTokens(texts, EncoderState.EMPTY).hiddenStates();
    }

    @Override
    public void loadPretrained(Path learned) {
        encoder.loadPretrained(learned);
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
