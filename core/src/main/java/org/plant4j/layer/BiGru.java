package org.plant4j.layer;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/** A bidirectional GRU whose hidden states do not depend on padding: each document is reversed in place for the second direction. */
public final class BiGru extends Layer {

    private final int hidden;
    private final Compute compute;
    private final List<Tensor> forwardWeights;
    private final List<Tensor> backwardWeights;

    /** {@code hidden} units per direction. */
    public BiGru(int in, int hidden, Compute compute) {
        this.hidden = hidden;
        this.compute = compute;
        this.forwardWeights = direction("", in);
        this.backwardWeights = direction("_reverse", in);
    }

    private List<Tensor> direction(String suffix, int in) {
        Init init = Init.uniform(1 / Math.sqrt(hidden));
        return List.of(
                parameter("weight_ih_l0" + suffix, compute, init, 3L * hidden, in),
                parameter("weight_hh_l0" + suffix, compute, init, 3L * hidden, hidden),
                parameter("bias_ih_l0" + suffix, compute, init, 3L * hidden),
                parameter("bias_hh_l0" + suffix, compute, init, 3L * hidden));
    }

    /** (B, T, in) to the hidden states of both directions, each (B, T, hidden); values at padding are meaningless. */
    public States forward(Tensor x, Batch batch) {
        Tensor reversal = batch.reversalIndex(compute);
        return new States(
                run(x, forwardWeights, BiLstm.recordsGradients(batch)),
                BiLstm.reverse(
                        run(BiLstm.reverse(x, reversal), backwardWeights, BiLstm.recordsGradients(batch)), reversal));
    }

    /** Hidden states (B, T, hidden) of both directions, in text order. */
    public record States(Tensor forward, Tensor backward) {

        /** (B, T, 2 · hidden). */
        public Tensor concatenated() {
            return torch.cat(new TensorVector(forward, backward), -1);
        }
    }

    private Tensor run(Tensor x, List<Tensor> weights, boolean training) {
        Tensor zero = torch.zeros(new long[] {1, x.size(0), hidden}, x.options());
        TensorVector parameters = new TensorVector(weights.toArray(Tensor[]::new));
        return torch.gru(x, zero, parameters, true, 1, 0.0, training, false, true)
                .get0();
    }
}
