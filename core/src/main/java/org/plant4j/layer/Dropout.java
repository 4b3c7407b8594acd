package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;

/** Zeroes a share of the features while training and scales the rest up; nothing at prediction. */
public record Dropout(double rate) {

    public Dropout {
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException("dropout: " + rate + " (expected: >= 0 and < 1)");
        }
    }

    public Tensor forward(Tensor x, Batch batch) {
        return forward(x, batch.training());
    }

    public Tensor forward(Tensor x, boolean training) {
        return training && rate > 0 ? torch.dropout(x, rate, true) : x;
    }
}
