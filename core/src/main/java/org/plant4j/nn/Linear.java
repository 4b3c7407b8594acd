package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/** x Wᵀ + b. */
public final class Linear extends Layer {

    private final Tensor weight; // (out, in)
    private final TensorOptional bias;

    public Linear(int in, int out, boolean withBias, Compute compute) {
        double bound = 1 / Math.sqrt(in);
        weight = parameter("weight", compute, Init.uniform(bound), out, in);
        bias = withBias
                ? new TensorOptional(parameter("bias", compute, Init.uniform(bound), out))
                : new TensorOptional();
    }

    public Tensor forward(Tensor x) {
        return torch.linear(x, weight, bias);
    }
}
