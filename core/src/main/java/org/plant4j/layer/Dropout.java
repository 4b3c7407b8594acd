package org.plant4j.layer;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;

/** Dropout: zeroes features at this rate in training and scales up the rest; the identity at prediction. */
public record Dropout(double rate) {

    public Dropout {
        Arguments.rate("dropout", rate);
    }

    public Tensor forward(Tensor x, Batch batch) {
        return forward(x, batch.training());
    }

    public Tensor forward(Tensor x, boolean training) {
        return training && rate > 0 ? torch.dropout(x, rate, true) : x;
    }
}
