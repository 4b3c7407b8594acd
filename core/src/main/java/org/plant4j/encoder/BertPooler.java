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

/** What BERT says of a whole row: a dense map and tanh over the state of its first token. */
public final class BertPooler extends Layer {

    private static final String PREFIX = "pooler.";

    private final Linear dense;

    public BertPooler(int size, Compute compute) {
        dense = submodule("dense", new Linear(size, size, true, compute));
    }

    /** States (N, M, H) to (N, H). */
    public Tensor forward(Tensor states) {
        return torch.tanh(dense.forward(states.select(1, 0)));
    }

    /** Takes the pooler of a pretrained encoder's folder; one that has none, as RoBERTa may, leaves this as drawn. */
    public void loadPretrained(Path folder) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Map<String, Tensor> found = Checkpoint.readMatching(
                    new EncoderDirectory(folder).weights(), name -> name.startsWith(PREFIX + "dense."));
            if (!found.isEmpty()) {
                EncoderDirectory.copyParameters(folder, PREFIX, found, parameters());
            }
        }
    }
}
