package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.plant4j.UserError;

/**
 * An exclusive lock between threads and processes, held by a lock file. The operating system releases it when the process
 * ends.
 */
public final class FileLock implements AutoCloseable {

    private static final long POLL_MILLIS = 200;

    private final FileChannel channel;

    private FileLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Waits for the lock. Calls {@code waiting} once if another thread or process holds it, and returns empty if {@code
     * stop} becomes true or the thread is interrupted before the lock is free.
     */
    public static Optional<FileLock> acquire(Path file, Runnable waiting, BooleanSupplier stop) {
        try {
            Files.createDirectories(file.toAbsolutePath().resolveSibling(""));
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            boolean acquired = false;
            try {
                acquired = tryLock(channel) || waitForLock(channel, waiting, stop);
            } finally {
                if (!acquired) {
                    channel.close();
                }
            }
            return acquired ? Optional.of(new FileLock(channel)) : Optional.empty();
        } catch (IOException e) {
            throw new UserError(
                    "Cannot write the lock file", file.toString(), "choose a writable directory with --runs", e);
        }
    }

    private static boolean waitForLock(FileChannel channel, Runnable waiting, BooleanSupplier stop) throws IOException {
        waiting.run();
        while (!stop.getAsBoolean()) {
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (tryLock(channel)) {
                return true;
            }
        }
        return false;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held by another thread of this process
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
