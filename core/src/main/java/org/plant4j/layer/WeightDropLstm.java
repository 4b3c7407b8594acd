package org.plant4j.layer;

import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.DispatcherCall;

/**
 * A unidirectional LSTM layer with DropConnect on its recurrent weights. Parameters are named as in fastai's {@code
 * WeightDropout}: {@code weight_hh_l0_raw} is the recurrent matrix before dropout.
 *
 * <p>On a GPU cuDNN expects all weights in one block of memory. The parameters are views into such a block, which is used
 * as it is if nothing is dropped. A pass with dropout copies the block and overwrites the recurrent matrix in the copy;
 * the copy cannot be reused, since the next segment of a document would overwrite it before the backward pass. Under
 * autocast the products run in bfloat16: libtorch's own autocast rule for cuDNN chooses float16, in which small gradients
 * underflow.
 */
public final class WeightDropLstm extends Layer {

    private static final long CUDNN_LSTM = 2;

    private final int hidden;
    private final double weightDropout;
    private final Tensor recurrentWeight; // (4 · hidden, hidden)
    private final Tensor inputWeight; // (4 · hidden, in)
    private final Tensor inputBias; // (4 · hidden)
    private final Tensor recurrentBias; // (4 · hidden)
    private final Optional<Tensor> flatWeights; // the block of memory with all weights, on a GPU

    public WeightDropLstm(int in, int hidden, double weightDropout, Compute compute) {
        this.hidden = hidden;
        this.weightDropout = weightDropout;
        Init init = Init.uniform(1 / Math.sqrt(hidden));
        recurrentWeight = parameter("weight_hh_l0_raw", compute, init, 4L * hidden, hidden);
        inputWeight = parameter("module.weight_ih_l0", compute, init, 4L * hidden, in);
        inputBias = parameter("module.bias_ih_l0", compute, init, 4L * hidden);
        recurrentBias = parameter("module.bias_hh_l0", compute, init, 4L * hidden);
        flatWeights = compute.cuda() ? Optional.of(flatten(in)) : Optional.empty();
    }

    /** Hidden states (B, T, H), and the state after the last token. */
    public record LstmOutput(Tensor hiddenStates, LstmState state) {}

    /** Encodes (B, T, in), starting from a state. */
    public LstmOutput forward(Tensor x, LstmState before, boolean training) {
        boolean dropping = training && weightDropout > 0;
        return forward(
                x,
                before,
                List.of(
                        inputWeight,
                        dropping ? torch.dropout(recurrentWeight, weightDropout, true) : recurrentWeight,
                        inputBias,
                        recurrentBias),
                dropping,
                training);
    }

    /** Input weights, recurrent weights, and their biases. */
    public List<Tensor> weights() {
        return List.of(inputWeight, recurrentWeight, inputBias, recurrentBias);
    }

    /**
     * As above in training, dropping the recurrent weights where the mask is 0.
     *
     * @param leaves {@link #weights}, or leaves of the autograd graph with the same memory
     */
    public LstmOutput forward(Tensor x, LstmState before, List<Tensor> leaves, DropoutMask weightMask) {
        Tensor recurrent = weightMask.apply(leaves.get(1));
        return forward(
                x,
                before,
                List.of(leaves.get(0), recurrent, leaves.get(2), leaves.get(3)),
                weightMask.isActive(),
                true);
    }

    /** A mask of recurrent weights. */
    public DropoutMask weightMask() {
        return new DropoutMask(weightDropout, recurrentWeight.options(), recurrentWeight.shape());
    }

    private LstmOutput forward(Tensor x, LstmState before, List<Tensor> weights, boolean dropping, boolean training) {
        return flatWeights
                .map(flat -> cudnn(x, before, weights, dropping, flat, training))
                .orElseGet(() -> cpu(x, before, weights, training));
    }

    private static LstmOutput cpu(Tensor x, LstmState before, List<Tensor> weights, boolean training) {
        LstmState start = before.map(tensor -> tensor.to(x.scalar_type()).unsqueeze(0)); // (1, B, H)
        T_TensorTensorTensor_T result = torch.lstm(
                x,
                new TensorVector(start.hidden(), start.cell()),
                new TensorVector(weights.toArray(Tensor[]::new)),
                true, // biases
                1, // layers
                0.0, // dropout between layers
                training,
                false, // bidirectional
                true); // batch first
        return output(result.get0(), result.get1(), result.get2());
    }

    private LstmOutput cudnn(
            Tensor x, LstmState before, List<Tensor> weights, boolean dropping, Tensor flat, boolean training) {
        boolean autocast = torch.is_autocast_enabled(torch.DeviceType.CUDA);
        torch.ScalarType type = autocast ? torch.ScalarType.BFloat16 : torch.ScalarType.Float;
        torch.set_autocast_enabled(torch.DeviceType.CUDA, false);
        try {
            LstmState start = before.map(tensor -> tensor.to(type).unsqueeze(0)); // (1, B, H)
            IValueVector results = DispatcherCall.call(
                    "aten::_cudnn_rnn",
                    new IValue(x.to(type)),
                    DispatcherCall.tensorList(
                            weights.stream().map(weight -> weight.to(type)).toList()),
                    new IValue((long) weights.size()),
                    new IValue(dropping || autocast ? copyFlat(flat, weights.get(1), type) : flat),
                    new IValue(start.hidden()),
                    new IValue(start.cell()),
                    new IValue(CUDNN_LSTM),
                    new IValue((long) hidden),
                    new IValue(0L), // no projection
                    new IValue(1L), // layers
                    new IValue(true), // batch first
                    new IValue(0.0), // dropout between layers
                    new IValue(training || GradMode.is_enabled()), // cuDNN computes gradients in this mode only
                    new IValue(false), // bidirectional
                    DispatcherCall.emptyIntList(), // not packed
                    new IValue()); // no dropout state
            return output(
                    results.get(0).toTensor(),
                    results.get(1).toTensor(),
                    results.get(2).toTensor());
        } finally {
            torch.set_autocast_enabled(torch.DeviceType.CUDA, autocast);
        }
    }

    /** A copy of the block of weights with this recurrent matrix. */
    private Tensor copyFlat(Tensor flat, Tensor recurrent, torch.ScalarType type) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor copy = flat.to(type, false, true, new MemoryFormatOptional());
            copy.narrow(0, recurrentWeight.storage_offset(), recurrent.numel()).copy_(recurrent.flatten());
            return copy;
        }
    }

    /** The carried state is float32 in every precision. */
    private static LstmOutput output(Tensor hiddenStates, Tensor h, Tensor c) {
        LstmState state = new LstmState(h, c);
        return new LstmOutput(
                hiddenStates, state.map(tensor -> tensor.squeeze(0).to(torch.ScalarType.Float)));
    }

    /** Moves the parameters into one block of memory and returns it. */
    private Tensor flatten(int in) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            IValueVector results = DispatcherCall.call(
                    "aten::_cudnn_rnn_flatten_weight",
                    DispatcherCall.tensorList(List.of(inputWeight, recurrentWeight, inputBias, recurrentBias)),
                    new IValue(4L), // weights per layer
                    new IValue((long) in),
                    new IValue(CUDNN_LSTM),
                    new IValue((long) hidden),
                    new IValue(0L), // no projection
                    new IValue(1L), // layers
                    new IValue(false), // batch first
                    new IValue(false)); // bidirectional
            Tensor flat = new Tensor(results.get(0).toTensor()); // the stack frees its own reference
            flat.retainReference(); // outlives the scope: the layer owns it
            return flat;
        }
    }

    @Override
    public void close() {
        flatWeights.ifPresent(Tensor::close);
        super.close();
    }
}
