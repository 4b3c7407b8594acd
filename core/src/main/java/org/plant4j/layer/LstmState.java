package org.plant4j.layer;

import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;

/** Hidden and cell state of an LSTM layer: (B, H) each. */
public record LstmState(Tensor hidden, Tensor cell) {

    public LstmState map(UnaryOperator<Tensor> function) {
        return new LstmState(function.apply(hidden), function.apply(cell));
    }

    public Stream<Tensor> tensors() {
        return Stream.of(hidden, cell);
    }
}
