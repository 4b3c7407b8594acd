package org.plant4j.encoder;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** The state that an encoder carries from one segment to the next: tensors with one row per document (B, ·). */
public record EncoderState(List<Tensor> tensors) implements AutoCloseable {

    /** The state before the first segment, and of stateless encoders. */
    public static final EncoderState EMPTY = new EncoderState(List.of());

    public EncoderState {
        tensors = List.copyOf(tensors);
    }

    public boolean isEmpty() {
        return tensors.isEmpty();
    }

    /** A copy detached from autograd that outlives the open scope, until closed. */
    public EncoderState detached() {
        return new EncoderState(tensors.stream().map(EncoderState::detach).toList());
    }

    private static Tensor detach(Tensor tensor) {
        Tensor detached = tensor.detach();
        detached.retainReference();
        return detached;
    }

    @Override
    public void close() {
        tensors.forEach(Tensor::close);
    }
}
