package org.plant4j.distributed;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Repeats a signal in the background while a process works, so that those who wait for it do not run into a timeout. */
final class Heartbeat implements AutoCloseable {

    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable PeerFailure failure;

    Heartbeat(Duration interval, Runnable signal) {
        thread = new Thread(() -> repeat(interval, signal), "heartbeat");
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat(Duration interval, Runnable signal) {
        try {
            while (!stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                signal.run();
            }
        } catch (PeerFailure e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the signals, and throws if one of them failed. */
    void stop() {
        close();
        Optional.ofNullable(failure).ifPresent(e -> {
            throw e;
        });
    }

    @Override
    public void close() {
        stopped.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true; // the last signal must end before another call to the group
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
