package org.plant4j.encoder;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.DropoutMask;
import org.plant4j.layer.LstmState;
import org.plant4j.layer.WeightDropLstm;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.CudaGraph;
import org.plant4j.tensor.CustomBackward;

/**
 * The LSTM layers of {@link AwdLstm} in training as two CUDA graphs, for batches of one shape. In small batches the layers are
 * thousands of small kernels, and the GPU waits for the host to launch them.
 *
 * <p>Graphs cannot draw random numbers, so dropout masks are drawn before each forward pass. All inputs form one flat tensor:
 * the embedded tokens, then hidden and cell state of each layer. The outputs have the same layout, because the last layer is
 * as wide as the embedding. An object serves one forward pass and its backward pass at a time.
 */
final class GraphedLstm implements AutoCloseable {

    private final List<WeightDropLstm> lstms;
    private final long[] shape; // of the embedded tokens
    private final List<Long> stateSizes;
    private final List<Tensor> parameters; // those that are trained
    private final List<List<Tensor>> leaves = new ArrayList<>(); // weights by layer
    private final List<Tensor> trainedLeaves; // of the parameters
    private final List<DropoutMask> weightMasks = new ArrayList<>();
    private final List<DropoutMask> hiddenMasks = new ArrayList<>();
    private final Tensor input; // (N)
    private final Tensor outputGradient; // (N)
    private final CudaGraph.Passes passes;
    private final CustomBackward function;
    private @Nullable Tensor output; // (N)
    private @Nullable Tensor inputGradient; // (N)
    private List<Tensor> parameterGradients = List.of();
    private torch.ScalarType outputType = torch.ScalarType.Float;
    private volatile boolean busy; // a thread of libtorch's runs the backward pass

    /** Records two passes; {@link CudaGraph#capture} outside of tests. */
    @FunctionalInterface
    interface Recorder {
        CudaGraph.Passes record(Runnable forward, Runnable backward);
    }

    /** {@code embedded} (B, T, E) is an example of the input. */
    GraphedLstm(
            List<WeightDropLstm> lstms,
            List<Integer> sizes,
            double hiddenDropout,
            Tensor embedded,
            Compute compute,
            Recorder recorder) {
        this.lstms = lstms;
        shape = embedded.shape();
        stateSizes = sizes.stream().map(size -> shape[0] * size).toList();
        for (WeightDropLstm lstm : lstms) {
            leaves.add(lstm.weights().stream().map(GraphedLstm::leaf).toList());
        }
        parameters = lstms.stream()
                .flatMap(lstm -> lstm.weights().stream())
                .filter(Tensor::requires_grad)
                .toList();
        trainedLeaves = leaves.stream()
                .flatMap(List::stream)
                .filter(Tensor::requires_grad)
                .toList();
        for (int i = 0; i < lstms.size(); i++) {
            weightMasks.add(lstms.get(i).weightMask());
            boolean last = i == lstms.size() - 1;
            hiddenMasks.add(
                    new DropoutMask(last ? 0 : hiddenDropout, compute.floatOptions(), shape[0], 1, sizes.get(i)));
        }
        long elements = embedded.numel()
                + 2 * stateSizes.stream().mapToLong(size -> size).sum();
        input = retained(torch.zeros(new long[] {elements}, compute.floatOptions()));
        input.set_requires_grad(true);
        outputGradient = retained(torch.zeros(new long[] {elements}, compute.floatOptions()));
        function = new CustomBackward(this::backward);
        passes = recorder.record(this::recordForward, this::recordBackward);
    }

    /**
     * The parameter as a leaf of its own. Autograd binds each leaf to one stream, and the parameter's may be the default
     * stream, which cannot be captured.
     */
    private static Tensor leaf(Tensor parameter) {
        Tensor leaf = retained(parameter.detach());
        leaf.set_requires_grad(parameter.requires_grad());
        return leaf;
    }

    private static Tensor retained(Tensor tensor) {
        tensor.retainReference();
        return tensor;
    }

    /** Whether a forward pass awaits its backward pass. */
    boolean isBusy() {
        return busy;
    }

    /** Hidden states (B, T, E) and the state after them, recorded by autograd. */
    Encoder.Output forward(Tensor embedded, EncoderState before) {
        busy = true;
        Tensor flat = flatten(embedded, before.layers());
        try (NoGradGuard noGrad = new NoGradGuard()) {
            input.copy_(flat);
        }
        weightMasks.forEach(DropoutMask::draw);
        hiddenMasks.forEach(DropoutMask::draw);
        passes.forward().run();
        return split(function.connect(flat, Objects.requireNonNull(output)));
    }

    private Tensor backward(Tensor gradient) {
        outputGradient.copy_(gradient);
        passes.backward().run();
        for (int i = 0; i < parameters.size(); i++) {
            Tensor parameter = parameters.get(i);
            Tensor parameterGradient = parameterGradients.get(i);
            if (parameter.grad().defined()) {
                parameter.grad().add_(parameterGradient);
            } else {
                parameter.mutable_grad().put(parameterGradient.clone());
            }
        }
        busy = false;
        return Objects.requireNonNull(inputGradient);
    }

    private void recordForward() {
        Encoder.Output parts = split(input);
        Tensor x = parts.hiddenStates();
        List<LstmState> after = new ArrayList<>();
        for (int i = 0; i < lstms.size(); i++) {
            WeightDropLstm.LstmOutput result =
                    lstms.get(i).forward(x, parts.state().layers().get(i), leaves.get(i), weightMasks.get(i));
            after.add(result.state());
            x = hiddenMasks.get(i).apply(result.hiddenStates());
        }
        outputType = x.scalar_type().intern();
        if (output != null) {
            output.close(); // that of a warm-up
        }
        output = retained(flatten(x.to(torch.ScalarType.Float), after));
    }

    private void recordBackward() {
        TensorVector inputs = new TensorVector(input);
        trainedLeaves.forEach(inputs::push_back);
        TensorVector gradients = torch.grad(
                new TensorVector(Objects.requireNonNull(output)),
                inputs,
                new TensorVector(outputGradient),
                new BoolOptional(),
                false,
                false);
        if (inputGradient != null) { // those of a warm-up
            inputGradient.close();
            parameterGradients.forEach(Tensor::close);
        }
        inputGradient = retained(new Tensor(gradients.get(0)));
        List<Tensor> byParameter = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            byParameter.add(retained(new Tensor(gradients.get(i + 1))));
        }
        parameterGradients = byParameter;
    }

    /** (B, T, E) and the states of all layers as one flat tensor; without states, zeros. */
    private Tensor flatten(Tensor x, List<LstmState> states) {
        Stream<Tensor> stateTensors = states.isEmpty()
                ? stateSizes.stream().flatMap(size -> Stream.of(zeros(x, size), zeros(x, size)))
                : states.stream().flatMap(LstmState::tensors).map(Tensor::flatten);
        return torch.cat(new TensorVector(
                Stream.concat(Stream.of(x.flatten()), stateTensors).toArray(Tensor[]::new)));
    }

    private static Tensor zeros(Tensor x, long size) {
        return torch.zeros(new long[] {size}, x.options().requires_grad(new BoolOptional(false)));
    }

    private Encoder.Output split(Tensor flat) {
        long next = shape[0] * shape[1] * shape[2];
        Tensor x = flat.narrow(0, 0, next).view(shape).to(outputType);
        List<LstmState> states = new ArrayList<>();
        for (long size : stateSizes) {
            Tensor hidden = flat.narrow(0, next, size).view(shape[0], -1);
            Tensor cell = flat.narrow(0, next + size, size).view(shape[0], -1);
            states.add(new LstmState(hidden, cell));
            next += 2 * size;
        }
        return new Encoder.Output(x, new EncoderState(states));
    }

    @Override
    public void close() {
        Stream.concat(
                        Stream.of(input, outputGradient, Objects.requireNonNull(output)),
                        Stream.concat(Stream.of(Objects.requireNonNull(inputGradient)), parameterGradients.stream()))
                .forEach(Tensor::close);
        leaves.forEach(layer -> layer.forEach(Tensor::close));
        weightMasks.forEach(DropoutMask::close);
        hiddenMasks.forEach(DropoutMask::close);
        function.close();
        passes.release().run();
    }
}
