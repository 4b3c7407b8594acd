package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/**
 * Writes a temporary file and moves it to its destination atomically, so that readers never see a partial file. File and
 * directory are synced, so that this also holds after a power failure.
 */
public final class AtomicFile {

    /** Writes the content to a temporary file. */
    @FunctionalInterface
    public interface Content {
        void write(Path temporary) throws IOException;
    }

    private AtomicFile() {}

    public static void write(Path file, Content content) {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            content.write(temporary);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        } catch (RuntimeException | Error e) {
            delete(temporary);
            throw e;
        }
        move(temporary, file);
    }

    private static void delete(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The error that is under way says more.
        }
    }

    /** Moves a complete file to a destination in the same file system and replaces the file there, if any. */
    public static void move(Path from, Path to) {
        try {
            syncFile(from);
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + to, e);
        }
        syncDirectory(to.toAbsolutePath().resolveSibling(""));
    }

    /** Moves a complete file or directory to a destination that does not exist, in the same file system. */
    public static void moveTree(Path from, Path to) {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path each : tree.toList()) {
                if (Files.isDirectory(each)) {
                    syncDirectory(each);
                } else {
                    syncFile(each);
                }
            }
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + to, e);
        }
        syncDirectory(to.toAbsolutePath().resolveSibling(""));
    }

    /** Otherwise the name could reach the disk before the content. */
    private static void syncFile(Path file) throws IOException {
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.WRITE)) {
            content.force(true);
        }
    }

    /** Makes renames and deletions in a directory durable, on platforms where directories can be synced. */
    private static void syncDirectory(Path directory) {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException e) {
            // Windows cannot open directories; its file systems log renames themselves.
        }
    }
}
