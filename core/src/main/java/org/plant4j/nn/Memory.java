package org.plant4j.nn;

import java.util.List;
import org.bytedeco.pytorch.Tensor;

/** What an encoder carries from one segment of the documents to the next: tensors with a row for each document. */
public record Memory(List<Tensor> tensors) implements AutoCloseable {

    /** Before the first segment, and of encoders that carry nothing. */
    public static final Memory NONE = new Memory(List.of());

    public Memory {
        tensors = List.copyOf(tensors);
    }

    public boolean isEmpty() {
        return tensors.isEmpty();
    }

    /** Cut off from the gradients of what went before, and alive beyond the scope it was made in, until closed. */
    public Memory kept() {
        return new Memory(tensors.stream().map(Memory::keep).toList());
    }

    private static Tensor keep(Tensor tensor) {
        Tensor detached = tensor.detach();
        detached.retainReference();
        return detached;
    }

    @Override
    public void close() {
        tensors.forEach(Tensor::close);
    }
}
