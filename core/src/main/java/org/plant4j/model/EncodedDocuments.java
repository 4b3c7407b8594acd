package org.plant4j.model;

import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.EncoderState;

/** The hidden states (B, T, H) of a batch: the encoding of a network whose decoder needs nothing else. */
public record EncodedDocuments(Tensor hiddenStates, EncoderState nextState) implements Encoding<EncodedDocuments> {

    /** Hidden states of whole documents. */
    public EncodedDocuments(Tensor hiddenStates) {
        this(hiddenStates, EncoderState.EMPTY);
    }

    @Override
    public EncodedDocuments map(UnaryOperator<Tensor> function) {
        return new EncodedDocuments(function.apply(hiddenStates), nextState);
    }
}
