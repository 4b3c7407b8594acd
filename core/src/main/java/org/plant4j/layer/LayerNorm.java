package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/** Layer normalization over the last dimension, with trainable scale and shift. */
public final class LayerNorm extends Layer {

    private final Tensor weight; // (H)
    private final Tensor bias; // (H)
    private final double epsilon;

    public LayerNorm(int size, double epsilon, Compute compute) {
        this.epsilon = epsilon;
        weight = parameter("weight", compute, Init.constant(1), size);
        bias = parameter("bias", compute, Init.constant(0), size);
    }

    public Tensor forward(Tensor x) {
        return torch.layer_norm(x, weight.shape(), new TensorOptional(weight), new TensorOptional(bias), epsilon, true);
    }
}
