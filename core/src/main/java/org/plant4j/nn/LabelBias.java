package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;

/** What a logit is before any token has spoken. */
public interface LabelBias {

    /** (L). */
    Tensor bias(SomeLabels labels);

    /** Of each label that is learned. */
    void startBias(float[] values);

    /** Of all labels that are not, where there can be such. */
    default void startStrangers(float value) {}
}
