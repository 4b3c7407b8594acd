package org.plant4j.layer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Int8Weights;

/**
 * Linear layers with the same input, which an int8 product computes together: the input is quantized once, and one large
 * product is faster than several small ones. The layers belong to the layer that uses them.
 */
public final class FusedLinear extends Layer {

    private final List<Linear> layers;
    private @Nullable Int8Weights int8Weights; // packed with the first prediction, as those of a single layer

    /** Either all layers have a bias or none. */
    public FusedLinear(Linear... layers) {
        this.layers = List.of(layers);
    }

    /** (…, in) to one (…, out) for each layer; they may be views into one tensor. */
    public List<Tensor> forward(Tensor x) {
        return forward(x, torch.ScalarType.Float);
    }

    /** The same, converted to a type if the product runs in int8: at once, which is faster than part by part. */
    public List<Tensor> forward(Tensor x, torch.ScalarType int8ResultType) {
        return layers.stream().allMatch(Linear::isQuantized)
                ? split(int8Weights().multiply(x).to(int8ResultType))
                : layers.stream().map(layer -> layer.forward(x)).toList();
    }

    private List<Tensor> split(Tensor all) {
        List<Tensor> parts = new ArrayList<>();
        long first = 0;
        for (Linear layer : layers) {
            long size = layer.weight().size(0);
            parts.add(all.narrow(-1, first, size));
            first += size;
        }
        return parts;
    }

    private synchronized Int8Weights int8Weights() {
        if (int8Weights == null) {
            try (PointerScope scope = new PointerScope();
                    NoGradGuard noGrad = new NoGradGuard()) {
                List<Tensor> biases =
                        layers.stream().flatMap(layer -> layer.bias().stream()).toList();
                int8Weights = Int8Weights.forManyRows(
                        concatenate(layers.stream().map(Linear::weight).toList()),
                        biases.isEmpty() ? Optional.empty() : Optional.of(concatenate(biases)));
            }
        }
        return int8Weights;
    }

    private static Tensor concatenate(List<Tensor> tensors) {
        return torch.cat(new TensorVector(tensors.toArray(Tensor[]::new)), 0);
    }

    @Override
    public void close() {
        if (int8Weights != null) {
            int8Weights.close();
        }
        super.close();
    }
}
