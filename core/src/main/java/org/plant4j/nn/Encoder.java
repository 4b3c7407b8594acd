package org.plant4j.nn;

import java.nio.file.Path;
import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** Reads documents: a state for each token, which knows of the tokens around it. */
public abstract class Encoder extends Layer {

    /** Numbers a state has. */
    public abstract int width();

    /** The word embedding, which may start from vectors learned on unlabelled text. */
    public abstract Embedding embedding();

    /** States (B, T, width) of a segment, and what is carried into the next one. */
    public abstract Encoded forward(Batch batch, Memory before);

    /** The whole documents at once. */
    public final Tensor forward(Batch batch) {
        return forward(batch, Memory.NONE).states();
    }

    /** Whether it carries memory, so that documents can be read segment by segment. */
    public boolean carriesMemory() {
        return false;
    }

    /** Takes the weights of one like it that was learned before; an encoder that knows of none keeps its own. */
    public void start(Path learned) {}

    /** Its layers, the words first: a fine-tuning thaws them from the last one down. */
    public abstract List<Layer> layers();

    public record Encoded(Tensor states, Memory after) {}
}
