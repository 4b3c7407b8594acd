package org.plant4j.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** What a segment says for some labels, and the way back for what it should have said. */
public interface DecodedLogits {

    /** (B, L), without their bias. */
    Tensor logits();

    /** Leaves gradients with parameters and with the encoding's leaves, given the logits' own (B, L). */
    void backward(Tensor gradient);

    /** The way back that autograd recorded. */
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
