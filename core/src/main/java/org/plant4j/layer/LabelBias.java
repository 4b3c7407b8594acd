package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.plant4j.tensor.LabelSelection;

/** What a logit is before any token has spoken. */
public interface LabelBias {

    /** (L). */
    Tensor bias(LabelSelection labels);

    /** Of each label that is learned. */
    void initializeBias(float[] values);

    /** Of all labels that are not, where there can be such. */
    default void initializeZeroShotBias(float value) {}
}
