package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLockTest {

    @TempDir
    Path directory;

    @Test
    void theSecondLockWaitsForTheFirst() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        AtomicBoolean released = new AtomicBoolean();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> result;
            try (FileLock first = acquire(() -> {})) {
                result = other.submit(() -> {
                    try (FileLock second = acquire(waiting::countDown)) {
                        return released.get();
                    }
                });
                assertThat(waiting.await(20, TimeUnit.SECONDS)).isTrue();
                released.set(true);
            }
            assertThat(result.get(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void waitingCanBeStopped() {
        try (FileLock first = acquire(() -> {})) {
            assertThat(FileLock.acquire(file(), () -> {}, () -> true)).isEmpty();
        }
        FileLock.acquire(file(), () -> {}, () -> true).orElseThrow().close(); // free again
    }

    private FileLock acquire(Runnable waiting) {
        return FileLock.acquire(file(), waiting, () -> false).orElseThrow();
    }

    private Path file() {
        return directory.resolve("new").resolve("a.lock");
    }
}
