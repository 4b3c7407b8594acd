package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.LabelSelection;

/** The bias of each label's logit. */
public interface LabelBias {

    /** The biases of the selected labels: (L). */
    Tensor bias(LabelSelection labels);

    /** Sets the bias of each trained label. */
    void initializeBias(float[] values);

    /** Sets the bias that zero-shot labels share; does nothing where the network has none. */
    default void initializeZeroShotBias(float value) {}
}
