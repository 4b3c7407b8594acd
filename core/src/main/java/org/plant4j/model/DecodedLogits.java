package org.plant4j.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.train.Gradients;

/** Logits of one segment for a range of labels, with their backward pass. */
public interface DecodedLogits {

    /** (B, L), without the bias. */
    Tensor logits();

    /** Adds gradients to the parameters and to the leaves of the encoding, given the gradient of the logits (B, L). */
    void backward(Tensor gradient);

    /** Logits whose backward pass autograd recorded. */
    static DecodedLogits withAutograd(Tensor logits) {
        return new DecodedLogits() {
            @Override
            public Tensor logits() {
                return logits;
            }

            @Override
            public void backward(Tensor gradient) {
                Gradients.backward(List.of(logits), List.of(gradient));
            }
        };
    }
}
