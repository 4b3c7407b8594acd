package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/** Linear layer: x Wᵀ + b. */
public final class Linear extends Layer {

    private final Tensor weight; // (out, in)
    private final Optional<Tensor> bias; // (out)

    public Linear(int in, int out, boolean withBias, Compute compute) {
        double bound = 1 / Math.sqrt(in);
        weight = parameter("weight", compute, Init.uniform(bound), out, in);
        bias = withBias ? Optional.of(parameter("bias", compute, Init.uniform(bound), out)) : Optional.empty();
    }

    /** (…, in) to (…, out). */
    public Tensor forward(Tensor x) {
        return torch.linear(x, weight, bias.map(TensorOptional::new).orElseGet(TensorOptional::new));
    }
}
