package org.plant4j.pretrained;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.plant4j.UserError;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.FileLock;
import org.plant4j.support.FileTree;
import org.plant4j.support.UserCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory with the files of unpacked models, which several processes may share: one subdirectory per checksum. It can
 * be deleted at any time.
 */
record ModelCache(Path path) {

    private static final Logger LOG = LoggerFactory.getLogger(ModelCache.class);

    private static final int CHECKSUM_DIGITS = 16;

    static ModelCache ofUser() {
        return new ModelCache(UserCache.directory().resolve("models"));
    }

    /** The intact run of this checksum; if there is none, the unpacker writes it into the directory that it gets. */
    RunDirectory get(String checksum, String name, Consumer<Path> unpacker) {
        Path parent = path.resolve(checksum.substring(0, CHECKSUM_DIGITS));
        RunDirectory run = new RunDirectory(parent.resolve(name));
        if (isIntact(run)) {
            return run;
        }
        createDirectory(parent);
        try (FileLock lock = FileLock.acquire(
                        parent.resolve(".lock"), () -> LOG.info("Another process unpacks {}", name), () -> false)
                .orElseThrow(() -> new IllegalStateException("interrupted"))) {
            if (!isIntact(run)) { // another process may have unpacked it
                write(run.path(), unpacker);
            }
        }
        return run;
    }

    private static boolean isIntact(RunDirectory run) {
        if (!Files.exists(run.path())) {
            return false;
        }
        try {
            RunDirectory.open(run.path());
            return true;
        } catch (UserError e) {
            LOG.warn("{} is damaged and is unpacked again: {}", run.path(), e.what());
            return false;
        }
    }

    private static void write(Path target, Consumer<Path> unpacker) {
        Path draft = target.resolveSibling(target.getFileName() + ".tmp");
        FileTree.delete(draft); // the remains of a process that was killed
        createDirectory(draft);
        try {
            unpacker.accept(draft);
            FileTree.delete(target);
            AtomicFile.moveTree(draft, target);
        } finally {
            FileTree.delete(draft);
        }
    }

    private static void createDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UserError(
                    "The cache of models cannot be written",
                    directory.toString(),
                    "set PLANT4J_CACHE to a directory that can be written",
                    e);
        }
    }
}
