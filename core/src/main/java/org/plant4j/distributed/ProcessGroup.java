package org.plant4j.distributed;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Tensor;

/**
 * Processes that train one model together. Every process makes the same calls in the same order. A process that fails makes
 * the calls of the others fail with a {@link PeerFailure}, at once if its connection closes, otherwise after a timeout.
 *
 * <p>The first process, with rank 0, decides, validates and writes files.
 */
public interface ProcessGroup extends AutoCloseable {

    int rank();

    int size();

    default boolean isFirst() {
        return rank() == 0;
    }

    /** Replaces a contiguous tensor by the sum over all processes, which has the same bits in each of them. */
    void sum(Tensor tensor);

    /** Replaces a contiguous tensor by that of the first process. */
    void broadcast(Tensor tensor);

    /**
     * The first process computes a text, which all receive. The computation may take any time and must not call the group. If
     * it fails, the call fails in all processes.
     */
    String fromFirst(Supplier<String> computation);

    /** The first process computes a value and keeps it; the others wait and get nothing. See {@link #fromFirst}. */
    default <T> Optional<T> onFirst(Supplier<T> computation) {
        List<T> value = new ArrayList<>(1);
        fromFirst(() -> {
            value.add(computation.get());
            return "";
        });
        return value.stream().findFirst();
    }

    /** The first process decides for all. See {@link #fromFirst}. */
    default boolean decide(BooleanSupplier decision) {
        return Boolean.parseBoolean(fromFirst(() -> Boolean.toString(decision.getAsBoolean())));
    }

    /** Leaves the group; does not wait for the others. */
    @Override
    void close();
}
