package org.plant4j.layer;

import java.util.Optional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Int8Weights;

/** Linear layer: x Wᵀ + b; with {@link org.plant4j.Precision#INT8} and without gradients an int8 product. */
public final class Linear extends Layer {

    /** Products with fewer outputs gain nothing from int8. */
    private static final int MIN_INT8_OUTPUTS = 32;

    private final Tensor weight; // (out, in)
    private final Optional<Tensor> bias; // (out)
    private final boolean quantizes;
    private @Nullable Int8Weights int8Weights; // packed with the first prediction, when the weights are loaded

    public Linear(int in, int out, boolean withBias, Compute compute) {
        double bound = 1 / Math.sqrt(in);
        weight = parameter("weight", compute, Init.uniform(bound), out, in);
        bias = withBias ? Optional.of(parameter("bias", compute, Init.uniform(bound), out)) : Optional.empty();
        quantizes = compute.quantizes() && out >= MIN_INT8_OUTPUTS;
    }

    /** (…, in) to (…, out). */
    public Tensor forward(Tensor x) {
        return isQuantized()
                ? int8Weights().multiply(x)
                : torch.linear(x, weight, bias.map(TensorOptional::new).orElseGet(TensorOptional::new));
    }

    /** Whether the next product runs in int8. */
    boolean isQuantized() {
        return quantizes && !GradMode.is_enabled();
    }

    Tensor weight() {
        return weight;
    }

    Optional<Tensor> bias() {
        return bias;
    }

    private synchronized Int8Weights int8Weights() {
        if (int8Weights == null) {
            int8Weights = Int8Weights.forManyRows(weight, bias);
        }
        return int8Weights;
    }

    @Override
    public void close() {
        if (int8Weights != null) {
            int8Weights.close();
        }
        super.close();
    }
}
