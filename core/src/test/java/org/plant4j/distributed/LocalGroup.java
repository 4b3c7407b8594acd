package org.plant4j.distributed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Groups whose members are threads of this process. */
public final class LocalGroup {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private LocalGroup() {}

    /** Runs all members and returns their results by rank; throws the exception of the lowest rank that failed. */
    public static <T> List<T> run(int size, Function<ProcessGroup, T> member) {
        List<T> results = new ArrayList<>();
        for (Future<T> future : start(size, member)) {
            try {
                results.add(future.get());
            } catch (ExecutionException e) {
                throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return results;
    }

    /** Starts all members; returns when they have ended. */
    static <T> List<Future<T>> start(int size, Function<ProcessGroup, T> member) {
        ExecutorService pool = Executors.newFixedThreadPool(size);
        try {
            Path directory = Files.createTempDirectory("rendezvous");
            String rendezvous = "file:" + directory.resolve("store");
            List<Future<T>> members = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                GroupSettings settings = GroupSettings.of(rank, size).withTimeout(TIMEOUT);
                members.add(pool.submit(() -> {
                    try (ProcessGroup group = settings.join(rendezvous)) {
                        return member.apply(group);
                    }
                }));
            }
            pool.shutdown();
            pool.awaitTermination(1, java.util.concurrent.TimeUnit.MINUTES);
            Files.deleteIfExists(directory.resolve("store"));
            Files.delete(directory);
            return members;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            pool.shutdownNow();
        }
    }
}
