package org.plant4j.review.database;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.plant4j.UserError;

/** The file of an SQLite database. */
final class SqliteFile {

    private SqliteFile() {}

    /** Creates the file readable by its owner only, because it contains clinical documents. */
    static void prepare(String name) {
        if (name.isBlank() || name.startsWith(":")) {
            throw new UserError("The database must be a file", Database.SQLITE + name, "use jdbc:sqlite:FILE");
        }
        Path file = Path.of(name);
        try {
            Path directory = file.toAbsolutePath().getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            if (!Files.exists(file)) {
                create(file);
            }
        } catch (IOException e) {
            throw new UserError(
                    "The review database cannot be created", file.toString(), "choose a writable directory", e);
        }
    }

    static void requireExisting(String name) {
        if (!Files.isRegularFile(Path.of(name))) {
            throw new UserError("The review database does not exist", name, "name the database with --reviews");
        }
    }

    private static void create(Path file) throws IOException {
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
    }
}
