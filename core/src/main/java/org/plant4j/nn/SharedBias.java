package org.plant4j.nn;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * A bias for each label that is known and one that strangers share, for networks whose labels have no weights of their
 * own. Where there are no strangers, there is nothing to share.
 */
public final class SharedBias extends Layer implements LabelBias {

    private final Acquaintance acquaintance;
    private final Tensor bias; // (known)
    private final @Nullable Tensor shared; // (1)

    public SharedBias(Acquaintance acquaintance, double initial, Compute compute) {
        this.acquaintance = acquaintance;
        bias = parameter("bias", compute, Init.constant(initial), acquaintance.known());
        shared = acquaintance.meetsStrangers() ? parameter("shared", compute, Init.constant(initial), 1) : null;
    }

    @Override
    public Tensor bias(SomeLabels labels) {
        return bias(labels, acquaintance.strangers());
    }

    /** Where 1 stands for each stranger, else 0. */
    public Tensor bias(SomeLabels labels, Tensor strangers) {
        Tensor own = acquaintance.own(labels, strangers, known -> known.of(bias));
        if (shared == null) {
            return own;
        }
        // Where learning never meets a stranger it must not even decay.
        return own.add(labels.of(strangers).mul(acquaintance.share() > 0 ? shared : shared.detach()));
    }

    @Override
    public void startBias(float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            bias.copy_(Tensor.create(values));
        }
    }

    @Override
    public void startStrangers(float value) {
        if (shared == null) {
            return;
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            shared.fill_(new Scalar(value));
        }
    }
}
