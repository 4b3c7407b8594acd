package org.plant4j.layer;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Precision;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.DispatcherCall;
import org.plant4j.tensor.PackedSequence;
import org.plant4j.tensor.ParallelTasks;

/**
 * A bidirectional LSTM whose hidden states do not depend on padding. On a GPU cuDNN takes packed sequences and runs both
 * directions at once. The CPU kernel takes padded batches only: there each document is reversed in place for the backward
 * direction, so that padding comes last in both.
 */
public final class BiLstm extends Layer {

    private static final long CUDNN_LSTM = 2;

    private final int hidden;
    private final Compute compute;
    private final boolean approximates; // whether predictions read long documents in windows
    private final List<Tensor> forwardWeights;
    private final List<Tensor> backwardWeights;

    /** {@code hidden} units per direction. */
    public BiLstm(int in, int hidden, Compute compute) {
        this.hidden = hidden;
        this.compute = compute;
        this.approximates = !compute.cuda() && compute.precision() == Precision.BFLOAT16;
        this.forwardWeights = direction("", in);
        this.backwardWeights = direction("_reverse", in);
        if (compute.cuda()) {
            flatten(in);
        }
    }

    private List<Tensor> direction(String suffix, int in) {
        Init init = Init.uniform(1 / Math.sqrt(hidden));
        return List.of(
                parameter("weight_ih_l0" + suffix, compute, init, 4L * hidden, in),
                parameter("weight_hh_l0" + suffix, compute, init, 4L * hidden, hidden),
                parameter("bias_ih_l0" + suffix, compute, init, 4L * hidden),
                parameter("bias_hh_l0" + suffix, compute, init, 4L * hidden));
    }

    private List<Tensor> weights() {
        return Stream.concat(forwardWeights.stream(), backwardWeights.stream()).toList();
    }

    /** Moves the weights into the one block of memory that cuDNN expects; otherwise it copies them at every step. */
    private void flatten(int in) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            DispatcherCall.call(
                    "aten::_cudnn_rnn_flatten_weight",
                    DispatcherCall.tensorList(weights()),
                    new IValue(4L), // weights per direction
                    new IValue((long) in),
                    new IValue(CUDNN_LSTM),
                    new IValue((long) hidden),
                    new IValue(0L), // no projection
                    new IValue(1L), // layers
                    new IValue(false), // batch first
                    new IValue(true)); // bidirectional
        }
    }

    /** (B, T, in) to (B, T, 2 · hidden); values at padding are meaningless. */
    public Tensor forward(Tensor x, Batch batch) {
        if (!compute.cuda()) {
            return forwardReversed(x, batch);
        }
        return batch.isPadded() ? forwardPacked(x, batch) : forwardUnpadded(x, batch);
    }

    /** For a GPU batch without padding, which needs no packing. */
    Tensor forwardUnpadded(Tensor x, Batch batch) {
        Tensor zero = torch.zeros(new long[] {2, x.size(0), hidden}, x.options());
        TensorVector state = new TensorVector(zero, zero);
        return torch.lstm(x, state, vector(weights()), true, 1, 0.0, recordsGradients(batch), true, true)
                .get0();
    }

    /** For a padded GPU batch. */
    Tensor forwardPacked(Tensor x, Batch batch) {
        PackedSequence packing = batch.packedSequence(compute);
        Tensor zero = torch.zeros(new long[] {2, x.size(0), hidden}, x.options());
        Tensor states = torch.lstm(
                        packing.pack(x),
                        packing.batchSizes(),
                        new TensorVector(zero, zero),
                        vector(weights()),
                        true,
                        1,
                        0.0,
                        recordsGradients(batch),
                        true)
                .get0();
        return packing.unpack(states, x.size(0), x.size(1));
    }

    /** cuDNN computes gradients in its training mode only, which differs in nothing else since its dropout is 0. */
    static boolean recordsGradients(Batch batch) {
        return batch.training() || GradMode.is_enabled();
    }

    /** For the CPU: the backward direction runs forward over reversed documents. */
    Tensor forwardReversed(Tensor x, Batch batch) {
        boolean gradients = recordsGradients(batch);
        Optional<LstmWindows> windows =
                approximates && !gradients ? LstmWindows.of(batch.lengths(), batch.width()) : Optional.empty();
        Tensor reversal = batch.reversalIndex(compute);
        List<Supplier<Tensor>> directions = List.of(
                () -> run(x, forwardWeights, windows, batch.training()),
                () -> reverse(run(reverse(x, reversal), backwardWeights, windows, batch.training()), reversal));
        List<Tensor> states = gradients
                ? directions.stream().map(Supplier::get).toList()
                : ParallelTasks.compute(compute, directions);
        return torch.cat(vector(states), -1);
    }

    /** Reverses each document of (B, T, F) in place, by {@link Batch#reversalIndex}; its own inverse. */
    public static Tensor reverse(Tensor x, Tensor reversal) {
        return x.reshape(-1, x.size(2)).index_select(0, reversal).view(x.size(0), x.size(1), x.size(2));
    }

    private Tensor run(Tensor x, List<Tensor> weights, Optional<LstmWindows> windows, boolean training) {
        return windows.map(each -> each.apply(x, windowed -> run(windowed, weights, training)))
                .orElseGet(() -> run(x, weights, training));
    }

    private Tensor run(Tensor x, List<Tensor> weights, boolean training) {
        Tensor zero = torch.zeros(new long[] {1, x.size(0), hidden}, x.options());
        TensorVector state = new TensorVector(zero, zero);
        return torch.lstm(x, state, vector(weights), true, 1, 0.0, training, false, true)
                .get0();
    }

    private static TensorVector vector(List<Tensor> tensors) {
        return new TensorVector(tensors.toArray(Tensor[]::new));
    }
}
