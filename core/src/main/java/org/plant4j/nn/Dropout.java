package org.plant4j.nn;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** Zeroes a share of the features while training and scales the rest up; nothing at prediction. */
public record Dropout(double share) {

    public Dropout {
        if (!(share >= 0 && share < 1)) {
            throw new IllegalArgumentException("dropout: " + share + " (expected: >= 0 and < 1)");
        }
    }

    public Tensor forward(Tensor x, Batch batch) {
        return forward(x, batch.training());
    }

    public Tensor forward(Tensor x, boolean training) {
        return training && share > 0 ? torch.dropout(x, share, true) : x;
    }
}
