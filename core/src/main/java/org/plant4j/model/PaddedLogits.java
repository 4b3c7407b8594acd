package org.plant4j.model;

import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.LabelSelection;

/** The first {@code labels} columns of logits that were computed for a {@link LabelSelection.Padded} selection. */
record PaddedLogits(DecodedLogits padded, long labels) implements DecodedLogits {

    @Override
    public Tensor logits() {
        return padded.logits().narrow(1, 0, labels);
    }

    @Override
    public void backward(Tensor gradient) {
        padded.backward(torch.constant_pad_nd(gradient, 0, padded.logits().size(1) - labels));
    }
}
