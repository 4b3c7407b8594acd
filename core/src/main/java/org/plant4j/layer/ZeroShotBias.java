package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * A bias per trained label and one that all zero-shot labels share, for networks without weights per label. Without
 * zero-shot labels there is no shared bias.
 */
public final class ZeroShotBias extends Layer implements LabelBias {

    private final ZeroShotMask zeroShot;
    private final Tensor bias; // (trained labels)
    private final @Nullable Tensor sharedBias; // (1)

    public ZeroShotBias(ZeroShotMask zeroShot, double initialBias, Compute compute) {
        this.zeroShot = zeroShot;
        bias = parameter("bias", compute, Init.constant(initialBias), zeroShot.trainedLabels());
        sharedBias = zeroShot.hasZeroShotLabels() ? parameter("shared", compute, Init.constant(initialBias), 1) : null;
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return bias(labels, zeroShot.mask());
    }

    /** The biases (L) of the selected labels, where {@code mask} is 1 for labels to treat as zero-shot and 0 for others. */
    public Tensor bias(LabelSelection labels, Tensor mask) {
        Tensor trained = zeroShot.computeTrained(labels, mask, selection -> selection.select(bias));
        if (sharedBias == null) {
            return trained;
        }
        // If training masks no labels, the shared bias gets no gradient and must not get weight decay either.
        return trained.add(labels.select(mask).mul(zeroShot.maskingRate() > 0 ? sharedBias : sharedBias.detach()));
    }

    @Override
    public void initializeBias(float[] values) {
        setValues(bias, values);
    }

    @Override
    public void initializeZeroShotBias(float value) {
        if (sharedBias != null) {
            setValues(sharedBias, new float[] {value});
        }
    }
}
