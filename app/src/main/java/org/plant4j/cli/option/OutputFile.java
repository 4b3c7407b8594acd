package org.plant4j.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.plant4j.support.UserError;

/** A file that the user asked for by name. */
public final class OutputFile {

    private OutputFile() {}

    /** Writes the text, and makes the folder it lies in. */
    public static void write(Path file, String text) {
        createParentDirectory(file);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the folder that the file will lie in; best before the work whose result it holds. */
    public static void createParentDirectory(Path file) {
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
