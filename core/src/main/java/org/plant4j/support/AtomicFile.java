package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Writes a file beside its place and moves it there in one step, so that a kill leaves the old or the new one whole. */
public final class AtomicFile {

    /** Fills the draft that becomes the file. */
    @FunctionalInterface
    public interface Content {
        void write(Path draft) throws IOException;
    }

    private AtomicFile() {}

    public static void write(Path file, Content content) {
        Path draft = file.resolveSibling(file.getFileName() + ".tmp");
        try {
            content.write(draft);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }
}
