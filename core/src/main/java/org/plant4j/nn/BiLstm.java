package org.plant4j.nn;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A bidirectional LSTM. Each document is turned round in place for the way back, so that both directions meet padding
 * last: the fused kernels can run on the padded batch, and padding changes no real state.
 */
public final class BiLstm extends Layer {

    private static final long CUDNN_LSTM = 2;

    private final int hidden;
    private final List<Tensor> there;
    private final List<Tensor> back;

    /** {@code hidden} units in each direction. */
    public BiLstm(int in, int hidden, Compute compute) {
        this.hidden = hidden;
        this.there = direction("", in, compute);
        this.back = direction("_reverse", in, compute);
    }

    private List<Tensor> direction(String suffix, int in, Compute compute) {
        Init init = Init.uniform(1 / Math.sqrt(hidden));
        List<Tensor> weights = List.of(
                parameter("weight_ih_l0" + suffix, compute, init, 4L * hidden, in),
                parameter("weight_hh_l0" + suffix, compute, init, 4L * hidden, hidden),
                parameter("bias_ih_l0" + suffix, compute, init, 4L * hidden),
                parameter("bias_hh_l0" + suffix, compute, init, 4L * hidden));
        if (compute.cuda()) {
            flatten(weights, in);
        }
        return weights;
    }

    /** Lays the weights out as cuDNN wants them; it would copy them at every step otherwise. */
    private void flatten(List<Tensor> weights, int in) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            Dispatcher.singleton()
                    .findSchemaOrThrow("aten::_cudnn_rnn_flatten_weight", "")
                    .callBoxed(new IValueVector(
                            Boxed.tensors(weights),
                            new IValue(4L),
                            new IValue((long) in),
                            new IValue(CUDNN_LSTM),
                            new IValue((long) hidden),
                            new IValue(0L),
                            new IValue(1L),
                            new IValue(true),
                            new IValue(false)));
        }
    }

    /** (B, T, in) to (B, T, 2·hidden). */
    public Tensor forward(Tensor x, Batch batch) {
        Tensor forward = run(x, there, batch.training());
        Tensor backward = batch.reverse(run(batch.reverse(x), back, batch.training()));
        return torch.cat(new TensorVector(forward, backward), -1);
    }

    private Tensor run(Tensor x, List<Tensor> weights, boolean training) {
        Tensor zero = torch.zeros(new long[] {1, x.size(0), hidden}, x.options());
        TensorVector state = new TensorVector(zero, zero);
        TensorVector parameters = new TensorVector(weights.toArray(Tensor[]::new));
        return torch.lstm(x, state, parameters, true, 1, 0.0, training, false, true)
                .get0();
    }
}
