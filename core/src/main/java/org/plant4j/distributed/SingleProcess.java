package org.plant4j.distributed;

import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/** A process on its own: nothing is exchanged. */
public final class SingleProcess implements ProcessGroup {

    public static final ProcessGroup INSTANCE = new SingleProcess();

    private SingleProcess() {}

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
