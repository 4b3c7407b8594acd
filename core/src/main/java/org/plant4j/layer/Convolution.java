package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/** One-dimensional convolution over tokens, padded to keep their number: token t depends on {@code kernel} tokens around it. */
public final class Convolution extends Layer {

    private final int kernel;
    private final Tensor weight; // (out, in, kernel)
    private final Optional<Tensor> bias; // (out)

    public Convolution(int in, int out, int kernel, Compute compute) {
        this(in, out, kernel, true, compute);
    }

    public Convolution(int in, int out, int kernel, boolean withBias, Compute compute) {
        this.kernel = kernel;
        // Weights: Xavier uniform as in CAML's code. Bias: PyTorch's default.
        double bound = Math.sqrt(6.0 / ((double) kernel * (in + out)));
        weight = parameter("weight", compute, Init.uniform(bound), out, in, kernel);
        bias = withBias
                ? Optional.of(parameter("bias", compute, Init.uniform(1 / Math.sqrt((double) in * kernel)), out))
                : Optional.empty();
    }

    /** (B, T, in) to (B, T, out). An even kernel covers one more token on the right. */
    public Tensor forward(Tensor x) {
        Tensor padded =
                torch.constant_pad_nd(x.transpose(1, 2), (kernel - 1) / 2, kernel / 2); // (B, in, T + kernel - 1)
        TensorOptional optionalBias = bias.map(TensorOptional::new).orElseGet(TensorOptional::new);
        return torch.conv1d(padded, weight, optionalBias, new long[] {1}, new long[] {0}, new long[] {1}, 1)
                .transpose(1, 2);
    }
}
