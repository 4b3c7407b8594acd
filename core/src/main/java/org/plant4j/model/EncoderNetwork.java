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

/** A network over one of the encoders; the subclass decodes the labels from the hidden states. */
public abstract class EncoderNetwork<E extends Encoding<E>> extends LabelNetwork<E> {

    private final Encoder encoder;
    private final boolean lexical;
    private final int hiddenSize;
    private final Dropout dropout;

    /**
     * Builds the encoder.
     *
     * @param lexical whether a token's embedding is concatenated to its hidden state
     * @param dropout applied to the hidden states, embedding included
     */
    protected EncoderNetwork(
            EncoderNetworkConfig config,
            boolean lexical,
            double dropout,
            int vocabularySize,
            int labels,
            Compute compute) {
        super(labels, compute);
        this.lexical = lexical;
        this.dropout = new Dropout(dropout);
        encoder = submodule("encoder", config.encoder().build(vocabularySize, compute));
        hiddenSize = encoder.hiddenSize() + (lexical ? config.embedding() : 0);
    }

    public final Encoder encoder() {
        return encoder;
    }

    /** H, the size of a hidden state. */
    public final int hiddenSize() {
        return hiddenSize;
    }

    /**
     * Hidden states (B, T, H) of a segment, zero for unknown tokens: a text without known tokens has the logits of the bias
     * alone. {@code before} is the encoder state after the previous segment.
     */
    public final Encoder.Output encodeTokens(Batch segment, EncoderState before) {
        Encoder.Output output = encoder.forward(segment, before);
        Tensor hiddenStates = segment.withoutUnknown(addEmbeddings(output.hiddenStates(), segment));
        return new Encoder.Output(dropout.forward(hiddenStates, segment), output.state());
    }

    /**
     * Hidden states (N, M, H) of label descriptions. Unknown tokens keep theirs, so that a label whose description has no
     * known token can be learned too.
     */
    public final Tensor descriptionStates(Batch descriptions) {
        return dropout.forward(addEmbeddings(encoder.forward(descriptions), descriptions), descriptions);
    }

    private Tensor addEmbeddings(Tensor hiddenStates, Batch batch) {
        return lexical
                ? torch.cat(new TensorVector(hiddenStates, embedding().forward(batch.tokens())), -1)
                : hiddenStates;
    }

    /** Hidden states (B, T, H) of whole documents. */
    public final Tensor hiddenStates(Batch batch) {
        return encodeTokens(batch, EncoderState.EMPTY).hiddenStates();
    }

    @Override
    public void loadPretrained(Path pretrained) {
        encoder.loadPretrained(pretrained);
    }

    @Override
    public final Embedding embedding() {
        return encoder.embedding();
    }

    @Override
    public List<Layer> encoderLayers() {
        return encoder.layers();
    }
}
