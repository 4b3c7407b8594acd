package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.plant4j.support.FileLock;
import org.plant4j.support.UserError;

/**
 * Caches stage results that runs share, keyed by the fingerprint of all inputs. The cache directory can be deleted at
 * any time.
 */
final class StageCache {

    private final Path directory;
    private final Pipeline.Listener listener;
    private final StageTimes times;
    private final BooleanSupplier stop;

    StageCache(Path directory, Pipeline.Listener listener, StageTimes times, BooleanSupplier stop) {
        this.directory = directory;
        this.listener = listener;
        this.times = times;
        this.stop = stop;
    }

    /** A stage whose result is a file or a directory. */
    interface CachedStage<T> {

        /** Computes the result, writes it to a temporary path and returns a short summary. */
        String create(Path draft);

        /** Opens the result; throws a {@link UserError} if it is damaged and has to be computed again. */
        T open(Path path);
    }

    /** Thrown if a stage was interrupted; its result is discarded. */
    static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    <T> T get(String stage, String print, CachedStage<T> cached) {
        Path path = path(stage, print);
        try (FileLock lock = lock(path.getFileName().toString())) {
            return get(stage, path, cached);
        }
    }

    /** Locks a name across processes; waits if another process holds it. */
    FileLock lock(String name) {
        return FileLock.acquire(
                        directory.resolve("locks").resolve(name + ".lock"),
                        () -> listener.onStage("wait", "waiting for another process: " + name),
                        stop)
                .orElseThrow(Interrupted::new);
    }

    private <T> T get(String stage, Path path, CachedStage<T> cached) {
        if (Files.exists(path)) {
            try {
                T result = cached.open(path);
                listener.onStage(stage, "reused");
                return result;
            } catch (UserError damaged) {
                delete(path);
            }
        }
        listener.onStage(stage, times.time(stage, () -> create(cached, path)));
        return cached.open(path);
    }

    private Path path(String stage, String print) {
        return directory.resolve(stage + "-" + print.substring(0, 16));
    }

    /** The directory in which a long stage keeps checkpoints to resume from. */
    Path unfinished(String stage, String print) {
        Path path = path(stage, print);
        return path.resolveSibling(path.getFileName() + ".unfinished");
    }

    private String create(CachedStage<?> cached, Path path) {
        Path draft = path.resolveSibling(
                path.getFileName() + ".tmp" + ProcessHandle.current().pid());
        try {
            Files.createDirectories(directory);
            String summary = cached.create(draft);
            publish(draft, path);
            return summary;
        } catch (IOException e) {
            throw new UserError("The cache cannot be written", directory.toString(), "choose another --runs", e);
        } finally {
            delete(draft);
        }
    }

    /** Moves a result to its place; if another process was faster, its result is kept. */
    private static void publish(Path draft, Path target) {
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(target)) {
                throw new UncheckedIOException("cannot write " + target, e);
            }
        }
    }

    /** Deletes a file or a directory with its contents, if it exists. */
    static void delete(Path path) {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + path, e);
        }
    }
}
