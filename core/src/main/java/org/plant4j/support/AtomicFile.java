package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

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
        }
        move(temporary, file);
    }

    /** Moves a complete file to a destination in the same file system and replaces the file there, if any. */
    public static void move(Path from, Path to) {
        try {
            try (FileChannel content = FileChannel.open(from, StandardOpenOption.WRITE)) {
                content.force(true); // otherwise the name could reach the disk before the content
            }
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + to, e);
        }
        syncDirectory(to.toAbsolutePath().resolveSibling(""));
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
