package org.plant4j.distributed;

import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/** A group of one: nothing is exchanged. */
final class SingleProcess implements ProcessGroup {

    @Override
    public int rank() {
        return 0;
    }

    @Override
    public int size() {
        return 1;
    }

    @Override
    public void sum(Tensor tensor) {}

    @Override
    public void broadcast(Tensor tensor) {}

    @Override
    public String fromFirst(Supplier<String> computation) {
        return computation.get();
    }

    @Override
    public void close() {}
}
