package org.plant4j.encoder;

import java.nio.file.Path;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Compute;

/** BERT's pooler: a linear layer and tanh over the hidden state of the first token. */
public final class BertPooler extends Layer {

    private static final String PREFIX = "pooler.";

    private final Linear dense;

    public BertPooler(int size, Compute compute) {
        dense = submodule("dense", new Linear(size, size, true, compute));
    }

    /** Hidden states (N, M, H) to (N, H). */
    public Tensor forward(Tensor hiddenStates) {
        return torch.tanh(dense.forward(hiddenStates.select(1, 0)));
    }

    /** Loads the pooler of a pretrained encoder, if it has one; RoBERTa may not. */
    public void loadPretrained(Path directory) {
        EncoderDirectory encoder = new EncoderDirectory(directory);
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Map<String, Tensor> found =
                    Checkpoint.readMatching(encoder.weights(), name -> name.startsWith(PREFIX + "dense."));
            if (!found.isEmpty()) {
                encoder.copyParameters(PREFIX, found, parameters());
            }
        }
    }
}
