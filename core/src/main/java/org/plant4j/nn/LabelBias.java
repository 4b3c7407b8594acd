package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;

/** What a logit is before any token has spoken. */
public interface LabelBias {

    /** (L). */
    Tensor bias(SomeLabels labels);

    void startBias(float[] values);
}
