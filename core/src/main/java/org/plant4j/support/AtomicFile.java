package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a temporary file and moves it to its destination atomically, so that readers never see a partial file. */
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
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
