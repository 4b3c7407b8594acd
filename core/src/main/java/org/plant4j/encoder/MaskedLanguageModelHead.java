package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Init;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/**
 * BERT's guess at a hidden word from its state: a dense layer, GELU and a layer norm, then a product with the word
 * embedding itself and a bias for each word. Adopted as {@code cls.predictions} its parameters have the names that
 * checkpoints of BERT use.
 */
public final class MaskedLanguageModelHead extends Layer {

    /** The name under which a checkpoint holds it. */
    public static final String NAME = "cls.predictions";

    private final Linear dense;
    private final Tensor scale; // (H)
    private final Tensor shift; // (H)
    private final Tensor bias; // (V)
    private final int hidden;
    private final double epsilon;

    public MaskedLanguageModelHead(int vocabulary, int hidden, double epsilon, Compute compute) {
        this.hidden = hidden;
        this.epsilon = epsilon;
        dense = submodule("transform.dense", new Linear(hidden, hidden, true, compute));
        scale = parameter("transform.LayerNorm.weight", compute, Init.constant(1), hidden);
        shift = parameter("transform.LayerNorm.bias", compute, Init.constant(0), hidden);
        bias = parameter("bias", compute, Init.constant(0), vocabulary);
    }

    /** Logits (N, V) of states (N, H), which should be those of masked words alone, with the embedding (V, H). */
    public Tensor forward(Tensor states, Tensor embedding) {
        return torch.linear(transform(states), embedding, new TensorOptional(bias));
    }

    /** What words the states (N, H) suggest: (N, H), to be multiplied with those of the words. */
    public Tensor transform(Tensor states) {
        return torch.layer_norm(
                torch.gelu(dense.forward(states)),
                new long[] {hidden},
                new TensorOptional(scale),
                new TensorOptional(shift),
                epsilon,
                false);
    }

    /** (V): how likely each word is whatever the state. */
    public Tensor bias() {
        return bias;
    }

    /** Takes the head of a pretrained encoder's folder; false where that has none, and this stays as drawn. */
    public boolean loadPretrained(Path folder) {
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> found = Checkpoint.readMatching(
                    new EncoderDirectory(folder).weights(), name -> name.startsWith(NAME + "."));
            if (!found.isEmpty()) {
                EncoderDirectory.copyParameters(folder, NAME + ".", found, parameters());
            }
            return !found.isEmpty();
        }
    }
}
