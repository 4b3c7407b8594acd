package org.plant4j.tensor;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The CPU threads of a computation while it is open. A computation that runs alone uses all threads, those that run at the
 * same time an equal share each: two with one thread each need far less time than two with two threads each, which wait for
 * each other after every operation.
 */
public final class ThreadShare implements AutoCloseable {

    private static final AtomicInteger RUNNING = new AtomicInteger();

    private ThreadShare() {}

    /** Sets the threads of computations that this thread starts, if the engine is loaded. */
    public static ThreadShare open() {
        int running = RUNNING.incrementAndGet();
        if (Engine.isLoaded()) {
            Engine.useThreads(Math.max(1, Engine.threads() / running));
        }
        return new ThreadShare();
    }

    /** Gives all threads back to this thread, and to OpenBLAS once nothing runs. */
    @Override
    public void close() {
        boolean last = RUNNING.decrementAndGet() == 0;
        if (Engine.isLoaded()) {
            Engine.restoreThreads(last);
        }
    }
}
