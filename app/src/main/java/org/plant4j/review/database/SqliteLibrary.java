package org.plant4j.review.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserCache;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Extracts the native library of SQLite's driver once per user. On its own the driver extracts it at every start, to a new
 * file, and compares the two byte by byte, which takes longer than opening the database.
 */
final class SqliteLibrary {

    private static final String DIRECTORY_PROPERTY = "org.sqlite.lib.path";

    private SqliteLibrary() {}

    /** Tells the driver where the library is, unless the command line has. If it cannot be extracted, the driver does it. */
    static void prepare() {
        if (System.getProperty(DIRECTORY_PROPERTY) == null) {
            extracted(UserCache.directory().resolve("native"))
                    .ifPresent(directory -> System.setProperty(DIRECTORY_PROPERTY, directory.toString()));
        }
    }

    /** The directory below {@code cache} with the library of this version; empty if it cannot be written. */
    static Optional<Path> extracted(Path cache) {
        String name = LibraryLoaderUtil.getNativeLibName();
        URL resource = SQLiteJDBCLoader.class.getResource(LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name);
        if (resource == null) {
            return Optional.empty(); // a platform that the driver does not know
        }
        Path library = cache.resolve("sqlite-" + SQLiteJDBCLoader.getVersion()).resolve(name);
        try {
            long size = resource.openConnection().getContentLengthLong();
            if (!Files.exists(library) || Files.size(library) != size) {
                Files.createDirectories(library.resolveSibling(""));
                write(library, resource);
            }
            return Optional.of(library.resolveSibling("").toAbsolutePath());
        } catch (IOException | UncheckedIOException e) {
            LoggerFactory.getLogger(SqliteLibrary.class).debug("{} cannot be written: {}", library, e.toString());
            return Optional.empty();
        }
    }

    /** Several processes may write at the same time; each replaces the file as a whole, with the same content. */
    private static void write(Path library, URL resource) throws IOException {
        Path temporary = Files.createTempFile(library.resolveSibling(""), "extracted", ".tmp");
        try (InputStream content = resource.openStream()) {
            Files.write(temporary, content.readAllBytes());
            AtomicFile.move(temporary, library);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
