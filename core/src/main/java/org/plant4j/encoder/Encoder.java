package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;

/** An encoder: token ids to hidden states, one per token, which depend on the tokens around it. */
public abstract class Encoder extends Layer {

    /** Size H of a hidden state. */
    public abstract int hiddenSize();

    /** The token embedding, which can be initialized with word vectors. */
    public abstract Embedding embedding();

    /** Encodes a segment, starting from the state after the previous one. */
    public abstract Output forward(Batch batch, EncoderState before);

    /** Encodes whole documents: hidden states (B, T, H). */
    public final Tensor forward(Batch batch) {
        return forward(batch, EncoderState.EMPTY).hiddenStates();
    }

    /** Whether the encoder carries state from segment to segment, so that documents can be encoded in segments. */
    public boolean isStateful() {
        return false;
    }

    /** Loads pretrained weights, of a language model or a pretrained encoder; by default there are none to load. */
    public void loadPretrained(Path source) {}

    /** The layers from the embedding up; fine-tuning unfreezes them from the last one down. */
    public abstract List<Layer> layers();

    /** Encodes rows of tokens that start with a class token, such as BERT's {@code [CLS]}. */
    @FunctionalInterface
    public interface ClassToken {

        /** Hidden states (N, M, H) of the rows, the class token first. */
        Tensor encode(List<int[]> rows, boolean training);
    }

    /** Present for an encoder whose rows start with a class token. */
    public Optional<ClassToken> classToken() {
        return Optional.empty();
    }

    /** Hidden states (B, T, H) of a segment, and the state to start the next segment from. */
    public record Output(Tensor hiddenStates, EncoderState state) {}
}
