package org.plant4j.tensor;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.plant4j.support.AtomicFile;

/**
 * The JNI libraries that JavaCPP loaded for some bindings in an earlier process. A start that finds them unchanged loads
 * them by their paths: JavaCPP would search every jar of the class path for every name that a library may have, which takes
 * longer than loading.
 */
final class LibraryRecord {

    private static final String JNI = "jni";

    /** Variants with CUDA find further libraries in directories of the system. */
    private static final String CUDA = "cuda";

    private static final String SEPARATOR = "\t";

    private final Path directory;
    private final Path file;
    private final String classPath;

    /** {@code directory} is that of JavaCPP, which contains the libraries. */
    private LibraryRecord(Path directory, Path file, String classPath) {
        this.directory = directory;
        this.file = file;
        this.classPath = classPath;
    }

    /** The record of these bindings for a class path of jars; empty for others, whose contents change unnoticed. */
    static Optional<LibraryRecord> of(Class<?> bindings, Path directory, String classPath) {
        List<Path> jars =
                Arrays.stream(classPath.split(File.pathSeparator)).map(Path::of).toList();
        if (!jars.stream().allMatch(jar -> jar.toString().endsWith(".jar") && Files.isRegularFile(jar))) {
            return Optional.empty();
        }
        try {
            String described = describe(jars);
            String name = bindings.getSimpleName() + "-" + Integer.toHexString(classPath.hashCode()) + ".libraries";
            return Optional.of(new LibraryRecord(directory, directory.resolve(name), described));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The jars and, since a manifest may refer to them, the other jars in their directories. */
    private static String describe(List<Path> jars) throws IOException {
        List<String> all = new ArrayList<>();
        for (Path parent : jars.stream()
                .map(jar -> jar.toAbsolutePath().getParent())
                .distinct()
                .toList()) {
            try (var files = Files.newDirectoryStream(parent, "*.jar")) {
                for (Path jar : files) {
                    all.add(describe(jar));
                }
            }
        }
        return String.join(SEPARATOR, all.stream().sorted().toList());
    }

    private static String describe(Path path) throws IOException {
        return Files.size(path) + " " + Files.getLastModifiedTime(path).toMillis() + " " + path;
    }

    /** The libraries, if neither they nor the class path have changed since {@link #write}. */
    Optional<List<Path>> read() {
        try {
            List<String> lines = Files.readAllLines(file);
            if (lines.size() < 2 || !lines.get(0).equals(classPath)) {
                return Optional.empty();
            }
            List<Path> libraries = new ArrayList<>();
            for (String line : lines.subList(1, lines.size())) {
                Path library = Path.of(line.split(" ", 3)[2]);
                if (!library.startsWith(directory) || !describe(library).equals(line)) {
                    return Optional.empty();
                }
                libraries.add(library);
            }
            return Optional.of(libraries);
        } catch (IOException | RuntimeException e) { // there is none, or it is damaged
            return Optional.empty();
        }
    }

    /** Stores the JNI libraries among those that are loaded, unless some come from elsewhere. */
    void write(Map<String, String> loaded) {
        List<Path> libraries = loaded.entrySet().stream()
                .filter(library -> library.getKey().startsWith(JNI))
                .map(library -> Path.of(library.getValue()))
                .sorted() // that of JavaCPP itself first, as its name is the prefix of all others
                .toList();
        boolean cuda = loaded.keySet().stream().anyMatch(name -> name.contains(CUDA) && name.startsWith("torch"));
        if (cuda || libraries.isEmpty() || !libraries.stream().allMatch(library -> library.startsWith(directory))) {
            return;
        }
        try {
            List<String> lines = new ArrayList<>(List.of(classPath));
            for (Path library : libraries) {
                lines.add(describe(library));
            }
            AtomicFile.write(file, temporary -> Files.write(temporary, lines));
        } catch (IOException | RuntimeException e) {
            // The next start searches again.
        }
    }
}
