package org.plant4j.layer;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * A bias for each label that is known and one that strangers share, for networks whose labels have no weights of their
 * own. Where there are no strangers, there is nothing to share.
 */
public final class ZeroShotBias extends Layer implements LabelBias {

    private final ZeroShotMask zeroShot;
    private final Tensor bias; // (known)
    private final @Nullable Tensor zeroShotBias; // (1)

    public ZeroShotBias(ZeroShotMask acquaintance, double initial, Compute compute) {
        this.zeroShot = acquaintance;
        bias = parameter("bias", compute, Init.constant(initial), acquaintance.trainedLabels());
        zeroShotBias =
                acquaintance.hasZeroShotLabels() ? parameter("shared", compute, Init.constant(initial), 1) : null;
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return bias(labels, zeroShot.mask());
    }

    /** Where 1 stands for each stranger, else 0. */
    public Tensor bias(LabelSelection labels, Tensor strangers) {
        Tensor own = zeroShot.computeTrained(labels, strangers, known -> known.select(bias));
        if (zeroShotBias == null) {
            return own;
        }
        // Where learning never meets a stranger it must not even decay.
        return own.add(labels.select(strangers).mul(zeroShot.maskingRate() > 0 ? zeroShotBias : zeroShotBias.detach()));
    }

    @Override
    public void initializeBias(float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            bias.copy_(Tensor.create(values));
        }
    }

    @Override
    public void initializeZeroShotBias(float value) {
        if (zeroShotBias == null) {
            return;
        }
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            zeroShotBias.fill_(new Scalar(value));
        }
    }
}
