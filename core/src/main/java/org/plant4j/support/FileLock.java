package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.plant4j.pipeline.StageCache;

/**
 * The right to make something that several programs may want at once, such as a prepared corpus or a run: the second waits
 * for the first, and then finds it made. It ends with its program, however that ends.
 */
public final class FileLock implements AutoCloseable {

    private static final long LOOK_MILLIS = 200;

    private final FileChannel channel;

    private FileLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Waits until nobody else has it, or {@code stop} says so; {@code waiting} is told where that may take a while. */
    public static FileLock acquire(Path lock, Runnable waiting, BooleanSupplier stop) {
        try {
            Files.createDirectories(lock.toAbsolutePath().resolveSibling(""));
            FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (!locked(channel)) {
                    waiting.run();
                    while (!locked(channel)) {
                        if (stop.getAsBoolean()) {
                            throw new StageCache.Interrupted();
                        }
                        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                    }
                }
                return new FileLock(channel);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                channel.close();
                throw new StageCache.Interrupted();
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException e) {
            throw new UserError("The run folder cannot be written", lock.toString(), "choose another --runs", e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another thread of this program has it
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
