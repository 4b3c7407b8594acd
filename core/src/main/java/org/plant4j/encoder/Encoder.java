package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Embedding;
import org.plant4j.layer.Layer;
import org.plant4j.tensor.Batch;

/** Reads documents: a state for each token, which knows of the tokens around it. */
public abstract class Encoder extends Layer {

    /** Numbers a state has. */
    public abstract int hiddenSize();

    /** The word embedding, which may start from vectors learned on unlabelled text. */
    public abstract Embedding embedding();

    /** States (B, T, width) of a segment, and what is carried into the next one. */
    public abstract Output forward(Batch batch, EncoderState before);

    /** The whole documents at once. */
    public final Tensor forward(Batch batch) {
        return forward(batch, EncoderState.EMPTY).hiddenStates();
    }

    /** Whether it carries memory, so that documents can be read segment by segment. */
    public boolean isStateful() {
        return false;
    }

    /** Takes the weights of one like it that was learned before; an encoder that knows of none keeps its own. */
    public void loadPretrained(Path learned) {}

    /** Its layers, the words first: a fine-tuning thaws them from the last one down. */
    public abstract List<Layer> layers();

    public record Output(Tensor hiddenStates, EncoderState state) {}
}
