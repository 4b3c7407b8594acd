package org.plant4j.layer;

import java.util.List;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;

/** Trainable scales of several attention sources, and the sum of the sources weighted by them. */
public final class AttentionScales extends Layer {

    private final Tensor weight; // (sources)

    public AttentionScales(List<Double> initial, Compute compute) {
        weight = parameter("weight", compute, tensor -> fill(tensor, initial), initial.size());
    }

    private static void fill(Tensor tensor, List<Double> initial) {
        for (int i = 0; i < initial.size(); i++) {
            Init.constant(initial.get(i)).fill(tensor.select(0, i));
        }
    }

    /** The current scale of a source, detached: a scalar. */
    public Tensor value(int source) {
        return weight.detach().select(0, source);
    }

    /** The current scales of all sources, detached. */
    public Tensor values() {
        return weight.detach();
    }

    /** Sum of the sources, each times its scale; absent sources are null. */
    public Tensor weightedSum(@Nullable Tensor... sources) {
        Tensor sum = null;
        for (int i = 0; i < sources.length; i++) {
            Tensor source = sources[i];
            if (source != null) {
                Tensor scale = weight.select(0, i);
                sum = sum == null ? source.mul(scale) : torch.addcmul(sum, source, scale);
            }
        }
        return Objects.requireNonNull(sum);
    }
}
