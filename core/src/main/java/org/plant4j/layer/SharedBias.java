package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/** One bias for all labels, for networks that compute label weights from descriptions. */
public final class SharedBias extends Layer implements LabelBias {

    private final int labels;
    private final Tensor bias; // (1)

    public SharedBias(int labels, double initialBias, Compute compute) {
        this.labels = labels;
        bias = parameter("bias", compute, Init.constant(initialBias), 1);
    }

    @Override
    public Tensor bias(LabelSelection selection) {
        return bias.expand(selection.count(labels));
    }

    /** Sets the bias to the mean of the given ones. */
    @Override
    public void initializeBias(float[] values) {
        double sum = 0;
        for (float value : values) {
            sum += value;
        }
        setValues(bias, new float[] {(float) (sum / Math.max(1, values.length))});
    }
}
