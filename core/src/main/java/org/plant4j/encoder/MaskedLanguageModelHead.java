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
 * BERT's masked language model head: linear layer, GELU and layer norm, then a product with the token embedding plus a
 * bias per token. As submodule {@code cls.predictions} its parameters have the names of BERT checkpoints.
 */
public final class MaskedLanguageModelHead extends Layer {

    /** Name of the head in a checkpoint. */
    public static final String NAME = "cls.predictions";

    private final Linear dense;
    private final Tensor normWeight; // (H)
    private final Tensor normBias; // (H)
    private final Tensor bias; // (V)
    private final int hidden;
    private final double epsilon;

    public MaskedLanguageModelHead(int vocabularySize, int hidden, double epsilon, Compute compute) {
        this.hidden = hidden;
        this.epsilon = epsilon;
        dense = submodule("transform.dense", new Linear(hidden, hidden, true, compute));
        normWeight = parameter("transform.LayerNorm.weight", compute, Init.constant(1), hidden);
        normBias = parameter("transform.LayerNorm.bias", compute, Init.constant(0), hidden);
        bias = parameter("bias", compute, Init.constant(0), vocabularySize);
    }

    /** Hidden states (N, H) of masked tokens and token embedding (V, H) to logits (N, V). */
    public Tensor forward(Tensor hiddenStates, Tensor embedding) {
        return torch.linear(transform(hiddenStates), embedding, new TensorOptional(bias));
    }

    /** Hidden states (N, H) to vectors (N, H) whose product with the token embedding gives the logits without bias. */
    public Tensor transform(Tensor hiddenStates) {
        return torch.layer_norm(
                torch.gelu(dense.forward(hiddenStates)),
                new long[] {hidden},
                new TensorOptional(normWeight),
                new TensorOptional(normBias),
                epsilon,
                false);
    }

    /** Bias of each token: (V). */
    public Tensor bias() {
        return bias;
    }

    /** Loads the head of a pretrained encoder; returns false if it has none. */
    public boolean loadPretrained(Path directory) {
        EncoderDirectory encoder = new EncoderDirectory(directory);
        try (PointerScope scope = new PointerScope()) {
            Map<String, Tensor> found = Checkpoint.readMatching(encoder.weights(), name -> name.startsWith(NAME + "."));
            if (!found.isEmpty()) {
                encoder.copyParameters(NAME + ".", found, parameters());
            }
            return !found.isEmpty();
        }
    }
}
