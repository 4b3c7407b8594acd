package org.plant4j.encoder;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.LstmState;

/** The state that an encoder carries from one segment to the next: that of each of its LSTM layers. */
public record EncoderState(List<LstmState> layers) implements AutoCloseable {

    /** The state before the first segment, and of stateless encoders. */
    public static final EncoderState EMPTY = new EncoderState(List.of());

    public EncoderState {
        layers = List.copyOf(layers);
    }

    public boolean isEmpty() {
        return layers.isEmpty();
    }

    /** All tensors, with one row per document (B, ·). */
    public Stream<Tensor> tensors() {
        return layers.stream().flatMap(LstmState::tensors);
    }

    public EncoderState map(UnaryOperator<Tensor> function) {
        return new EncoderState(
                layers.stream().map(layer -> layer.map(function)).toList());
    }

    /** A copy detached from autograd that outlives the open scope, until closed. */
    public EncoderState detached() {
        return map(tensor -> {
            Tensor detached = tensor.detach();
            detached.retainReference();
            return detached;
        });
    }

    @Override
    public void close() {
        tensors().forEach(Tensor::close);
    }
}
