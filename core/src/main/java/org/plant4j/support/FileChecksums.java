package org.plant4j.support;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * SHA-256 checksums of the files below a directory.
 *
 * @param files checksums by path relative to the directory, separated by {@code /}
 */
public record FileChecksums(@JsonValue SortedMap<String, String> files) {

    public static final FileChecksums NONE = new FileChecksums(Collections.emptySortedMap());

    /** A file that is missing or has other contents than expected. */
    public record Damage(Path file, String what) {}

    @JsonCreator
    public FileChecksums {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    /** The checksums of all files below a directory, or of a single file under the name "". */
    public static FileChecksums of(Path root) {
        return of(root, FileTree.files(root));
    }

    /** The checksums of some files below a directory. */
    public static FileChecksums of(Path root, List<Path> files) {
        SortedMap<String, String> checksums = new TreeMap<>();
        files.forEach(file -> checksums.put(name(root, file), Sha256.of(file)));
        return new FileChecksums(checksums);
    }

    private static String name(Path root, Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    public boolean contains(Path root, Path file) {
        return files.containsKey(name(root, file));
    }

    /** These checksums and others, which take precedence. */
    public FileChecksums with(FileChecksums others) {
        SortedMap<String, String> all = new TreeMap<>(files);
        all.putAll(others.files);
        return new FileChecksums(all);
    }

    /** These checksums without the files of others. */
    public FileChecksums without(FileChecksums others) {
        SortedMap<String, String> left = new TreeMap<>(files);
        left.keySet().removeAll(others.files.keySet());
        return new FileChecksums(left);
    }

    /** These checksums without one file. */
    public FileChecksums without(String name) {
        SortedMap<String, String> left = new TreeMap<>(files);
        left.remove(name);
        return new FileChecksums(left);
    }

    /** The first file, in order of their names, that is missing or does not match; other files are ignored. */
    public Optional<Damage> firstDamage(Path root) {
        for (Map.Entry<String, String> entry : files.entrySet()) {
            Path file = root.resolve(entry.getKey());
            String problem = problem(file, entry.getValue());
            if (!problem.isEmpty()) {
                return Optional.of(new Damage(file, file.getFileName() + " " + problem));
            }
        }
        return Optional.empty();
    }

    private static String problem(Path file, String checksum) {
        if (!Files.isRegularFile(file)) {
            return "is missing";
        }
        try {
            return Sha256.of(file).equals(checksum) ? "" : "does not match its checksum";
        } catch (UncheckedIOException e) {
            return "cannot be read";
        }
    }

    /** Like {@link #firstDamage}, but a file without a checksum counts as damage, too. */
    public Optional<Damage> firstDifference(Path root) {
        return firstDamage(root)
                .or(() -> FileTree.files(root).stream()
                        .filter(file -> !contains(root, file))
                        .findFirst()
                        .map(file -> new Damage(file, file.getFileName() + " has no checksum")));
    }
}
