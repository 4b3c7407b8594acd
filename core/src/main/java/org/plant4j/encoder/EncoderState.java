package org.plant4j.encoder;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** What an encoder carries from one segment of the documents to the next: tensors with a row for each document. */
public record EncoderState(List<Tensor> tensors) implements AutoCloseable {

    /** Before the first segment, and of encoders that carry nothing. */
    public static final EncoderState EMPTY = new EncoderState(List.of());

    public EncoderState {
        tensors = List.copyOf(tensors);
    }

    public boolean isEmpty() {
        return tensors.isEmpty();
    }

    /** Cut off from the gradients of what went before, and alive beyond the scope it was made in, until closed. */
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
