package org.plant4j.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A file, or a directory with everything below it. */
public final class FileTree {

    private FileTree() {}

    /** All regular files, ordered by path; the path itself if it is a file. */
    public static List<Path> files(Path root) {
        try (Stream<Path> below = Files.walk(root)) {
            return below.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + root, e);
        }
    }

    /** Deletes a file or a directory with its contents, if it exists. */
    public static void delete(Path root) {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> below = Files.walk(root)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + root, e);
        }
    }
}
