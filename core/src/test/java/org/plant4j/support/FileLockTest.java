package org.plant4j.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.pipeline.StageCache;

class FileLockTest {

    @TempDir
    Path folder;

    @Test
    void theSecondWaitsForTheFirst() throws Exception {
        Path lock = folder.resolve("new").resolve("a.lock");
        CountDownLatch waits = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<Boolean> second;
            try (FileLock first = FileLock.acquire(lock, () -> {}, () -> false)) {
                second = other.submit(() -> {
                    try (FileLock claim = FileLock.acquire(lock, waits::countDown, () -> false)) {
                        return ended.get();
                    }
                });
                assertThat(waits.await(20, TimeUnit.SECONDS)).isTrue();
                ended.set(true);
            }
            assertThat(second.get(20, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void waitingEndsWhereTheUserWantsAnEnd() {
        Path lock = folder.resolve("a.lock");
        try (FileLock first = FileLock.acquire(lock, () -> {}, () -> false)) {
            assertThatThrownBy(() -> FileLock.acquire(lock, () -> {}, () -> true))
                    .isInstanceOf(StageCache.Interrupted.class);
        }
        FileLock.acquire(lock, () -> {}, () -> true).close(); // free again, so nobody waits
    }
}
