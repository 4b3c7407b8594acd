package org.plant4j.app;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Lets Ctrl-C end a training well: asks it to stop after the running step and holds the program until it has, or for a
 * minute at most. What must still be written or said comes before {@link #close}.
 */
final class Interruption implements BooleanSupplier, AutoCloseable {

    /** What a shell reports for a program ended by Ctrl-C, and what Java itself then ends with. */
    static final int EXIT = 128 + 2;

    private static final int PATIENCE_SECONDS = 60;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean asked;

    Interruption(CommonOptions common) {
        hook = new Thread(() -> {
            asked = true;
            common.say("Stopping after the running step …");
            try {
                ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether the user wants an end. */
    @Override
    public boolean getAsBoolean() {
        return asked;
    }

    @Override
    public void close() {
        ended.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                asked = true; // Ctrl-C came this very moment; the hook is free to end
            }
        }
    }
}
