package org.plant4j.layer;

import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.MemoryFormatOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.DispatcherCall;

/**
 * One layer of an LSTM that reads in one direction, whose recurrent matrix loses a share of its weights in each training
 * pass. Its parameters bear fastai's names: {@code weight_hh_l0_raw} is the matrix before anything is dropped.
 *
 * <p>On a GPU cuDNN wants its weights in one piece of memory. They are born in one, which serves wherever nothing is
 * dropped; a pass that drops copies it and puts the dropped matrix in its place. One copy kept for that would be
 * overwritten by the next segment of a document before the gradients of this one are computed. Under autocast the products
 * are bfloat16's: libtorch's own rule for cuDNN is float16, in which small gradients vanish.
 */
public final class WeightDropLstm extends Layer {

    private static final long CUDNN_LSTM = 2;

    private final int width;
    private final double weightDrop;
    private final Tensor recurrent; // (4·width, width)
    private final Tensor input; // (4·width, in)
    private final Tensor inputBias; // (4·width)
    private final Tensor recurrentBias; // (4·width)
    private final Optional<Tensor> flatWeights;

    public WeightDropLstm(int in, int width, double weightDrop, Compute compute) {
        this.width = width;
        this.weightDrop = weightDrop;
        Init init = Init.uniform(1 / Math.sqrt(width));
        recurrent = parameter("weight_hh_l0_raw", compute, init, 4L * width, width);
        input = parameter("module.weight_ih_l0", compute, init, 4L * width, in);
        inputBias = parameter("module.bias_ih_l0", compute, init, 4L * width);
        recurrentBias = parameter("module.bias_hh_l0", compute, init, 4L * width);
        flatWeights = compute.cuda() ? Optional.of(gather(in)) : Optional.empty();
    }

    /** States (B, T, width) of each token, hidden and cell state (B, width) after the last. */
    public record LstmOutput(Tensor hiddenStates, Tensor lastHidden, Tensor lastCell) {}

    /** Goes on from {@code hidden} and {@code cell}. */
    public LstmOutput forward(Tensor x, Tensor hidden, Tensor cell, boolean training) {
        boolean drops = training && weightDrop > 0;
        Tensor kept = drops ? torch.dropout(recurrent, weightDrop, true) : recurrent;
        List<Tensor> weights = List.of(input, kept, inputBias, recurrentBias);
        return flatWeights
                .map(piece -> cudnn(x, hidden, cell, weights, drops, piece, training))
                .orElseGet(() -> fused(x, hidden, cell, weights, training));
    }

    private static LstmOutput fused(Tensor x, Tensor hidden, Tensor cell, List<Tensor> weights, boolean training) {
        Tensor h = hidden.to(x.scalar_type()).unsqueeze(0);
        Tensor c = cell.to(x.scalar_type()).unsqueeze(0);
        T_TensorTensorTensor_T result = torch.lstm(
                x,
                new TensorVector(h, c),
                new TensorVector(weights.toArray(Tensor[]::new)),
                true,
                1,
                0.0,
                training,
                false,
                true);
        return pass(result.get0(), result.get1(), result.get2());
    }

    private LstmOutput cudnn(
            Tensor x, Tensor hidden, Tensor cell, List<Tensor> weights, boolean drops, Tensor piece, boolean training) {
        boolean autocast = torch.is_autocast_enabled(torch.DeviceType.CUDA);
        torch.ScalarType type = autocast ? torch.ScalarType.BFloat16 : torch.ScalarType.Float;
        torch.set_autocast_enabled(torch.DeviceType.CUDA, false);
        try {
            IValueVector stack = new IValueVector(
                    new IValue(x.to(type)),
                    DispatcherCall.tensorList(
                            weights.stream().map(weight -> weight.to(type)).toList()),
                    new IValue((long) weights.size()),
                    new IValue(drops || autocast ? copied(piece, weights.get(1), type) : piece),
                    new IValue(hidden.to(type).unsqueeze(0)),
                    new IValue(cell.to(type).unsqueeze(0)),
                    new IValue(CUDNN_LSTM),
                    new IValue((long) width),
                    new IValue(0L), // no projection
                    new IValue(1L), // layer
                    new IValue(true), // batch first
                    new IValue(0.0), // dropout between layers
                    new IValue(training),
                    new IValue(false), // one direction
                    DispatcherCall.emptyIntList(), // not packed
                    new IValue()); // no dropout state
            operator("aten::_cudnn_rnn").callBoxed(stack);
            return pass(
                    stack.get(0).toTensor(),
                    stack.get(1).toTensor(),
                    stack.get(2).toTensor());
        } finally {
            torch.set_autocast_enabled(torch.DeviceType.CUDA, autocast);
        }
    }

    private Tensor copied(Tensor piece, Tensor kept, torch.ScalarType type) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor copy = piece.to(type, false, true, new MemoryFormatOptional());
            copy.narrow(0, recurrent.storage_offset(), kept.numel()).copy_(kept.flatten());
            return copy;
        }
    }

    private static LstmOutput pass(Tensor states, Tensor h, Tensor c) {
        return new LstmOutput(states, carried(h), carried(c));
    }

    /** Carried states are float32 whatever the precision of the products. */
    private static Tensor carried(Tensor state) {
        return state.squeeze(0).to(torch.ScalarType.Float);
    }

    private Tensor gather(int in) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            IValueVector stack = new IValueVector(
                    DispatcherCall.tensorList(List.of(input, recurrent, inputBias, recurrentBias)),
                    new IValue(4L),
                    new IValue((long) in),
                    new IValue(CUDNN_LSTM),
                    new IValue((long) width),
                    new IValue(0L),
                    new IValue(1L),
                    new IValue(false),
                    new IValue(false));
            operator("aten::_cudnn_rnn_flatten_weight").callBoxed(stack);
            Tensor piece = new Tensor(stack.get(0).toTensor()); // the stack's own ends with it
            piece.retainReference(); // belongs to the layer
            return piece;
        }
    }

    private static OperatorHandle operator(String name) {
        return Dispatcher.singleton().findSchemaOrThrow(name, "");
    }

    @Override
    public void close() {
        flatWeights.ifPresent(Tensor::close);
        super.close();
    }
}
