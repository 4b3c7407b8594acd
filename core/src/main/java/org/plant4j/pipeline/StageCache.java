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
 * What runs share, kept under the fingerprint of all it depends on: made once and reused while that stays the same. It
 * may be deleted at any time.
 */
public record StageCache(Path folder, Pipeline.Listener listener, StageTimes times, BooleanSupplier stop) {

    /** What a stage makes and keeps, a file or a folder. */
    interface CachedStage<T> {

        /** Makes it under the name of a draft and says in a few words what it made. */
        String create(Path draft);

        /** A {@link UserError} says that it is damaged and must be made anew. */
        T open(Path path);
    }

    /** A stage was stopped before its end; what it made is not kept. */
    public static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    <T> T get(String stage, String print, CachedStage<T> artefact) {
        Path path = path(stage, print);
        try (FileLock claim = lock(path.getFileName().toString())) {
            return get(stage, path, artefact);
        }
    }

    /** Waits until no other process works on the same. */
    FileLock lock(String name) {
        return FileLock.acquire(
                        folder.resolve("locks").resolve(name + ".lock"),
                        () -> listener.onStage("wait", "another process is working on " + name),
                        stop)
                .orElseThrow(Interrupted::new);
    }

    private <T> T get(String stage, Path path, CachedStage<T> artefact) {
        if (Files.exists(path)) {
            try {
                T known = artefact.open(path);
                listener.onStage(stage, "reused");
                return known;
            } catch (UserError damaged) {
                delete(path);
            }
        }
        listener.onStage(stage, times.time(stage, () -> make(artefact, path)));
        return artefact.open(path);
    }

    private Path path(String stage, String print) {
        return folder.resolve(stage + "-" + print.substring(0, 16));
    }

    /** Where a long stage keeps what it has so far, for the session that goes on with it. */
    Path unfinished(String stage, String print) {
        Path path = path(stage, print);
        return path.resolveSibling(path.getFileName() + ".unfinished");
    }

    private String make(CachedStage<?> artefact, Path path) {
        Path draft = path.resolveSibling(
                path.getFileName() + ".tmp" + ProcessHandle.current().pid());
        try {
            Files.createDirectories(folder);
            String told = artefact.create(draft);
            publish(draft, path);
            return told;
        } catch (IOException e) {
            throw new UserError("The cache cannot be written", folder.toString(), "choose another --runs", e);
        } finally {
            delete(draft);
        }
    }

    /** Several runs may make the same at once; the first to finish wins, the others use what it made. */
    private static void publish(Path draft, Path target) {
        try {
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.exists(target)) {
                throw new UncheckedIOException("cannot write " + target, e);
            }
        }
    }

    /** A file, or a folder with all that is in it, where there is one. */
    public static void delete(Path path) {
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
