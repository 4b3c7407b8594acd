package org.plant4j.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.plant4j.UserError;

/** A file that the user asked for by name. */
final class PageFile {

    private PageFile() {}

    /** Writes the text, and makes the folder it lies in. */
    static void write(Path file, String text) {
        makeRoom(file);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the folder that the file will lie in; best before the work whose result it holds. */
    static void makeRoom(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserError("This is a folder, not a file", file.toString(), "name a file in it");
        }
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
