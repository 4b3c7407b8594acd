package org.plant4j.layer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;

/**
 * A part of a network that owns parameters, named by path as PyTorch names them ({@code encoder.lstm.weight_ih_l0}), so
 * that checkpoints can be exchanged. Layers keep no state of a pass: whether it trains is the batch's word.
 */
public abstract class Layer implements AutoCloseable {

    private final Map<String, Tensor> ownParameters = new LinkedHashMap<>();
    private final Map<String, Layer> submodules = new LinkedHashMap<>();

    /** Makes a trainable parameter; drawn on the CPU, so that equal seeds give equal weights on every device. */
    public final Tensor parameter(String name, Compute compute, Init init, long... shape) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor tensor = torch.zeros(shape, new TensorOptions(torch.ScalarType.Float));
            init.fill(tensor);
            Tensor placed = compute.toDevice(tensor);
            placed.set_requires_grad(true);
            placed.retainReference(); // outlives the scope: it belongs to the layer
            ownParameters.put(name, placed);
            return placed;
        }
    }

    /** Adopts a part under a name, or, where that is empty, as if its parameters were this layer's own; returns it. */
    public final <T extends Layer> T submodule(String name, T layer) {
        submodules.put(name, layer);
        return layer;
    }

    /** Every parameter of this layer and its parts, by path, in a fixed order. */
    public final Map<String, Tensor> parameters() {
        Map<String, Tensor> all = new LinkedHashMap<>(ownParameters);
        submodules.forEach((name, layer) -> layer.parameters()
                .forEach((path, tensor) -> all.put(name.isEmpty() ? path : name + "." + path, tensor)));
        return all;
    }

    /** How many numbers are trained. */
    public final long parameterCount() {
        return parameters().values().stream().mapToLong(Tensor::numel).sum();
    }

    @Override
    public void close() {
        ownParameters.values().forEach(Tensor::close);
        submodules.values().forEach(Layer::close);
    }
}
