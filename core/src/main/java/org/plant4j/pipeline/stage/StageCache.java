package org.plant4j.pipeline.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.UserError;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileChecksums;
import org.plant4j.support.FileLock;
import org.plant4j.support.FileTree;

/**
 * Caches stage results that runs share, keyed by the fingerprint of all inputs. A result is checked against the checksums of
 * its files and computed again if it is damaged. The cache directory can be deleted at any time.
 */
public final class StageCache {

    private final Path directory;
    private final Session session;
    private final StageTimes times;
    private final long renewBefore;

    /** Computes results again that were computed before {@code renewBefore}, in milliseconds since 1970. */
    public StageCache(Path directory, Session session, StageTimes times, long renewBefore) {
        this.directory = directory;
        this.session = session;
        this.times = times;
        this.renewBefore = renewBefore;
    }

    /** A stage whose result is a file or a directory. */
    public interface CachedStage<T> {

        /** Computes the result, writes it to a temporary path and returns a short summary. */
        String create(Path draft);

        /** Whether all processes of a group train the result together; otherwise the first one creates it alone. */
        default boolean isTrainedTogether() {
            return false;
        }

        /** Opens the result; throws a {@link UserError} if it is damaged and has to be computed again. */
        T open(Path path);
    }

    /** Thrown if a stage was interrupted; its result is discarded. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** All processes of a group make this call. The first one writes the result, and all open it. */
    public <T> T get(String stage, String print, CachedStage<T> cached) {
        return cached.isTrainedTogether()
                ? trainTogether(stage, print, cached)
                : session.group()
                        .onFirst(() -> getAlone(stage, print, cached))
                        .orElseGet(() -> open(stage, print, cached));
    }

    /** Opens a result that another process has created. */
    public <T> T open(String stage, String print, CachedStage<T> cached) {
        return cached.open(path(stage, print));
    }

    private <T> T trainTogether(String stage, String print, CachedStage<T> cached) {
        ProcessGroup group = session.group();
        Path path = path(stage, print);
        Optional<FileLock> lock = group.onFirst(() -> lock(path.getFileName().toString()));
        try {
            if (group.decide(() -> find(stage, print, cached).isPresent())) {
                session.listener().onStage(stage, "reused");
            } else if (group.isFirst()) {
                session.listener().onStage(stage, times.time(stage, () -> create(cached, path, print)));
                group.decide(() -> true); // tells the others that the result is complete
            } else {
                createAndDiscard(cached);
                group.decide(() -> true);
            }
            return cached.open(path);
        } finally {
            lock.ifPresent(FileLock::close);
        }
    }

    /** Takes part in the training; the first process stores the result. */
    private void createAndDiscard(CachedStage<?> cached) {
        Path scratch = scratch();
        try {
            Files.createDirectories(scratch);
            cached.create(scratch.resolve("draft"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            FileTree.delete(scratch);
        }
    }

    /** A directory of this process alone. */
    private Path scratch() {
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "plant4j-" + ProcessHandle.current().pid() + "-"
                        + session.group().rank());
    }

    /** Without the other processes of a group. */
    public <T> T getAlone(String stage, String print, CachedStage<T> cached) {
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
    public FileLock lock(String name) {
        return FileLock.acquire(
                        lockFile(directory, name),
                        () -> session.listener().onStage("wait", "waiting for another process: " + name),
                        session.stop())
                .orElseThrow(Interrupted::new);
    }

    public static Path lockFile(Path cache, String name) {
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
    public Path unfinished(String stage, String print) {
        Path path = path(stage, print);
        Path parent = session.group().isFirst() ? directory : scratch();
        return parent.resolve(path.getFileName() + ".unfinished");
    }

    /** Writes the checksums before the result takes its place: a result without checksums would be computed again. */
    private String create(CachedStage<?> cached, Path path, String print) {
        Path draft = path.resolveSibling(
                path.getFileName() + ".tmp" + ProcessHandle.current().pid());
        try {
            Files.createDirectories(directory);
            String summary = cached.create(draft);
            new StageChecksums(print, System.currentTimeMillis(), FileChecksums.of(draft)).write(checksumFile(path));
            AtomicFile.moveTree(draft, path);
            return summary;
        } catch (IOException e) {
            throw new UserError("The cache cannot be written", directory.toString(), "choose another --runs", e);
        } finally {
            FileTree.delete(draft);
        }
    }
}
