package org.plant4j.review.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.plant4j.support.AtomicFile;
import org.plant4j.support.UserCache;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * Extracts the native library of SQLite's driver once per user. On its own the driver extracts it at every start, to a new
 * file, which takes longer than opening the database. An extracted library is used only if it equals that of the driver.
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
        Path library = cache.resolve("sqlite-" + SQLiteJDBCLoader.getVersion())
                .resolve(OSInfo.getNativeLibFolderPathForCurrentOS()) // a home directory may serve several platforms
                .resolve(name);
        try {
            byte[] content = content(resource);
            if (!Files.exists(library) || !Arrays.equals(Files.readAllBytes(library), content)) {
                Files.createDirectories(library.resolveSibling(""));
                write(library, content);
            }
            return Optional.of(library.resolveSibling("").toAbsolutePath());
        } catch (IOException | UncheckedIOException e) {
            LoggerFactory.getLogger(SqliteLibrary.class).debug("{} cannot be written: {}", library, e.toString());
            return Optional.empty();
        }
    }

    private static byte[] content(URL resource) throws IOException {
        URLConnection connection = resource.openConnection();
        connection.setUseCaches(false); // otherwise the jar stays open
        try (InputStream content = connection.getInputStream()) {
            return content.readAllBytes();
        }
    }

    /** Several processes may write at the same time; each replaces the file as a whole, with the same content. */
    private static void write(Path library, byte[] content) throws IOException {
        Path temporary = Files.createTempFile(library.resolveSibling(""), "extracted", ".tmp");
        try {
            Files.write(temporary, content);
            AtomicFile.move(temporary, library);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
