package org.plant4j.cli.process;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.plant4j.cli.option.CommonOptions;

/**
 * Turns Ctrl-C into a request to stop: training ends after the running step, and the JVM waits up to a minute until this
 * handler is closed.
 */
public final class InterruptHandler implements BooleanSupplier, AutoCloseable {

    /** What shells and Java report for a program that Ctrl-C ended. */
    public static final int EXIT = 128 + 2;

    private static final int GRACE_SECONDS = 60;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    public InterruptHandler(CommonOptions common) {
        hook = new Thread(() -> {
            requested = true;
            common.info("Stopping after the running step …");
            try {
                closed.await(GRACE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the user asked to stop. */
    @Override
    public boolean getAsBoolean() {
        return requested;
    }

    @Override
    public void close() {
        closed.countDown();
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                requested = true; // Ctrl-C was pressed at this moment; the hook can end
            }
        }
    }
}
