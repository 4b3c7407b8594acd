package org.plant4j.models;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** What a segment says for some labels, and the way back for what it should have said. */
interface Decoded {

    /** (B, L), without their bias. */
    Tensor logits();

    /** Leaves gradients with parameters and with the encoding's leaves, given the logits' own (B, L). */
    void backward(Tensor gradient);

    /** The way back that autograd recorded. */
    static Decoded recorded(Tensor logits) {
        return new Decoded() {
            @Override
            public Tensor logits() {
                return logits;
            }

            @Override
            public void backward(Tensor gradient) {
                Gradients.send(List.of(logits), List.of(gradient));
            }
        };
    }
}
