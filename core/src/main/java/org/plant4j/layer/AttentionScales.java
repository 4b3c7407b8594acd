package org.plant4j.layer;

import java.util.List;
import java.util.Objects;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;

/** How much each of several attentions counts in their sum; learned. */
public final class AttentionScales extends Layer {

    private final Tensor weight; // one a source

    public AttentionScales(List<Double> start, Compute compute) {
        weight = parameter("weight", compute, tensor -> fill(tensor, start), start.size());
    }

    private static void fill(Tensor tensor, List<Double> start) {
        for (int i = 0; i < start.size(); i++) {
            Init.constant(start.get(i)).fill(tensor.select(0, i));
        }
    }

    /** How much one source counts now. */
    public Tensor value(int source) {
        return weight.detach().select(0, source);
    }

    /** The weighted sum of the sources that are there. */
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
