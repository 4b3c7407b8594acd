package org.plant4j.nn;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/** A bias for each label and nothing else, for networks whose labels have no weights of their own. */
public final class Bias extends Layer implements LabelBias {

    private final Tensor bias; // (L)

    public Bias(int labels, double initial, Compute compute) {
        bias = parameter("bias", compute, Init.constant(initial), labels);
    }

    @Override
    public Tensor bias(SomeLabels labels) {
        return labels.of(bias);
    }

    @Override
    public void startBias(float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            bias.copy_(Tensor.create(values));
        }
    }
}
