package org.plant4j.pipeline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.FileLock;
import org.plant4j.support.FileTree;
import org.plant4j.support.UserError;

/**
 * Caches stage results that runs share, keyed by the fingerprint of all inputs. A result is checked against the checksums of
 * its files and computed again if it is damaged. The cache directory can be deleted at any time.
 */
final class StageCache {

    private final Path directory;
    private final Pipeline.Session session;
    private final StageTimes times;
    private final long renewBefore;

    /** Computes results again that were computed before {@code renewBefore}, in milliseconds since 1970. */
    StageCache(Path directory, Pipeline.Session session, StageTimes times, long renewBefore) {
        this.directory = directory;
        this.session = session;
        this.times = times;
        this.renewBefore = renewBefore;
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
            Optional<T> existing = find(stage, print, cached);
            if (existing.isPresent()) {
                session.listener().onStage(stage, "reused");
                return existing.get();
            }
            session.listener().onStage(stage, times.time(stage, () -> create(cached, path, print)));
            return cached.open(path);
        }
    }

    /** Locks a name across processes; waits if another process holds it. */
    FileLock lock(String name) {
        return FileLock.acquire(
                        lockFile(directory, name),
                        () -> session.listener().onStage("wait", "waiting for another process: " + name),
                        session.stop())
                .orElseThrow(Interrupted::new);
    }

    static Path lockFile(Path cache, String name) {
        return cache.resolve("locks").resolve(name + ".lock");
    }

    /** The existing result; deletes it if it is damaged or has to be renewed. */
    private <T> Optional<T> find(String stage, String print, CachedStage<T> cached) {
        Path path = path(stage, print);
        Optional<StageChecksums> checksums = StageChecksums.read(checksumFile(path));
        if (checksums.map(StageChecksums::createdMillis).orElse(0L) < renewBefore) {
            FileTree.delete(unfinished(stage, print));
            FileTree.delete(path);
        }
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            check(path, print, checksums);
            return Optional.of(cached.open(path));
        } catch (UserError damaged) {
            session.listener().onStage(stage, "damaged, computed again: " + damaged.what());
            FileTree.delete(path);
            return Optional.empty();
        }
    }

    private static void check(Path path, String print, Optional<StageChecksums> checksums) {
        if (checksums.isEmpty() || !checksums.get().fingerprint().equals(print)) {
            throw damaged("there are no checksums for " + path.getFileName(), path);
        }
        checksums.get().files().firstDifference(path).ifPresent(damage -> {
            throw damaged(damage.what(), damage.file());
        });
    }

    private static UserError damaged(String what, Path where) {
        return new UserError(what, where.toString(), "delete it; it will be computed again");
    }

    private Path path(String stage, String print) {
        return directory.resolve(stage + "-" + print.substring(0, 16));
    }

    private Path checksumFile(Path path) {
        return directory.resolve("checksums").resolve(path.getFileName() + ".json");
    }

    /** The directory in which a long stage keeps checkpoints to resume from. */
    Path unfinished(String stage, String print) {
        Path path = path(stage, print);
        return path.resolveSibling(path.getFileName() + ".unfinished");
    }

    /** Writes the checksums before the result takes its place: a result without checksums would be computed again. */
    private String create(CachedStage<?> cached, Path path, String print) {
        Path draft = path.resolveSibling(
                path.getFileName() + ".tmp" + ProcessHandle.current().pid());
        try {
            Files.createDirectories(directory);
            String summary = cached.create(draft);
            new StageChecksums(print, System.currentTimeMillis(), FileChecksums.of(draft)).write(checksumFile(path));
            publish(draft, path);
            return summary;
        } catch (IOException e) {
            throw new UserError("The cache cannot be written", directory.toString(), "choose another --runs", e);
        } finally {
            FileTree.delete(draft);
        }
    }

    private static void publish(Path draft, Path target) {
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + target, e);
        }
    }
}
