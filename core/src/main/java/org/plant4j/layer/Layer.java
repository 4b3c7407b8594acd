package org.plant4j.layer;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Precision;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.LabelSelection;

/**
 * A module with parameters, named by path as in PyTorch ({@code encoder.lstm.weight_ih_l0}), so that checkpoints are
 * interchangeable. Layers keep no state of a forward pass; the batch decides whether it is a training pass.
 */
public abstract class Layer implements AutoCloseable {

    private final Map<String, Tensor> ownParameters = new LinkedHashMap<>();
    private final Map<String, Tensor> ownBuffers = new LinkedHashMap<>();
    private final Map<String, Layer> submodules = new LinkedHashMap<>();
    private final Set<String> ownLabelParameters = new LinkedHashSet<>();

    protected Layer() {
        Engine.load(); // reports missing native libraries with a remedy
    }

    /** Registers a trainable parameter; initialized on the CPU, so that equal seeds give equal weights on every device. */
    public final Tensor parameter(String name, Compute compute, Init init, long... shape) {
        return register(name, create(compute, Precision.FLOAT32, init, shape));
    }

    /**
     * Registers a parameter with one row per label, which is read through a {@link LabelSelection} only: its gradient is
     * sparse if a step trains a shortlist of labels. Rows are stored in the label precision; single values, such as biases,
     * take little memory and stay in float32.
     */
    public final Tensor labelParameter(String name, Compute compute, Init init, long... shape) {
        ownLabelParameters.add(name);
        Precision precision = shape.length == 1 ? Precision.FLOAT32 : compute.labelPrecision();
        return register(name, create(compute, precision, init, shape));
    }

    private Tensor register(String name, Tensor parameter) {
        parameter.set_requires_grad(true);
        ownParameters.put(name, parameter);
        return parameter;
    }

    /** Registers a tensor that is stored with the parameters but not trained, such as a running mean. */
    public final Tensor buffer(String name, Compute compute, Init init, long... shape) {
        Tensor buffer = create(compute, Precision.FLOAT32, init, shape);
        ownBuffers.put(name, buffer);
        return buffer;
    }

    private static Tensor create(Compute compute, Precision precision, Init init, long... shape) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor tensor = torch.zeros(shape, new TensorOptions(torch.ScalarType.Float));
            init.fill(tensor);
            Tensor placed =
                    compute.toDevice(precision == Precision.BFLOAT16 ? tensor.to(torch.ScalarType.BFloat16) : tensor);
            placed.retainReference(); // outlives the scope: the layer owns it
            return placed;
        }
    }

    /** Registers and returns a submodule; with an empty name its parameters have the paths of this layer's own. */
    public final <T extends Layer> T submodule(String name, T layer) {
        submodules.put(name, layer);
        return layer;
    }

    /** Copies values, in row-major order, into a parameter or buffer, outside of autograd. */
    protected static void setValues(Tensor parameter, float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            parameter.copy_(Tensor.create(values, parameter.shape()));
        }
    }

    /** Copies the parameters of a layer with the same shapes. */
    public final void copyFrom(Layer other) {
        Map<String, Tensor> from = other.parameters();
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            parameters().forEach((name, tensor) -> tensor.copy_(from.get(name)));
        }
    }

    /** All parameters of this layer and its submodules, by path, in a fixed order. */
    public final Map<String, Tensor> parameters() {
        Map<String, Tensor> all = new LinkedHashMap<>(ownParameters);
        submodules.forEach((name, layer) ->
                layer.parameters().forEach((path, tensor) -> all.put(join(name, path), tensor)));
        return all;
    }

    /** The parameters with one row per label, by path. */
    public final Map<String, Tensor> labelParameters() {
        Map<String, Tensor> all = new LinkedHashMap<>(ownParameters);
        all.keySet().retainAll(ownLabelParameters);
        submodules.forEach((name, layer) ->
                layer.labelParameters().forEach((path, tensor) -> all.put(join(name, path), tensor)));
        return all;
    }

    /** Parameters and buffers by path, parameters first: everything that a checkpoint stores. */
    public final Map<String, Tensor> state() {
        Map<String, Tensor> all = parameters();
        all.putAll(buffers());
        return all;
    }

    private Map<String, Tensor> buffers() {
        Map<String, Tensor> all = new LinkedHashMap<>(ownBuffers);
        submodules.forEach((name, layer) ->
                layer.buffers().forEach((path, tensor) -> all.put(join(name, path), tensor)));
        return all;
    }

    private static String join(String name, String path) {
        return name.isEmpty() ? path : name + "." + path;
    }

    /** Number of trainable values. */
    public final long parameterCount() {
        return parameters().values().stream().mapToLong(Tensor::numel).sum();
    }

    @Override
    public void close() {
        ownParameters.values().forEach(Tensor::close);
        ownBuffers.values().forEach(Tensor::close);
        submodules.values().forEach(Layer::close);
    }
}
