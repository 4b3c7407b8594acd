package org.plant4j.cli.option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.plant4j.UserError;

/** Writes files that the user named in an option. */
public final class OutputFile {

    private OutputFile() {}

    /** Writes the text; creates parent directories. */
    public static void write(Path file, String text) {
        createParentDirectory(file);
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the parent directory; call this before long work, so that a bad path is reported early. */
    public static void createParentDirectory(Path file) {
        if (Files.isDirectory(file)) {
            throw new UserError("This is a directory, not a file", file.toString(), "name a file in it");
        }
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
