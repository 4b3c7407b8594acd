package org.plant4j.cli.run;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.plant4j.cli.option.CommonOptions;

/**
 * Lets Ctrl-C end a training well: asks it to stop after the running step and holds the program until it has, or for a
 * minute at most. What must still be written or said comes before {@link #close}.
 */
public final class InterruptHandler implements BooleanSupplier, AutoCloseable {

    /** What a shell reports for a program ended by Ctrl-C, and what Java itself then ends with. */
    public static final int EXIT = 128 + 2;

    private static final int GRACE_SECONDS = 60;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean requested;

    public InterruptHandler(CommonOptions common) {
        hook = new Thread(() -> {
            requested = true;
            common.info("Stopping after the running step …");
            try {
                ended.await(GRACE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the user wants an end. */
    @Override
    public boolean getAsBoolean() {
        return requested;
    }

    @Override
    public void close() {
        ended.countDown();
        if (!requested) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                requested = true; // Ctrl-C came this very moment; the hook is free to end
            }
        }
    }
}
