package org.plant4j.experiment;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** The YAML files of the repository's {@code experiments} directory, which are packaged into the jar. */
public final class ExperimentLibrary {

    private static final String ROOT = "/org/plant4j/experiment/library/";
    private static final String SUFFIX = ".yaml";

    /** The kinds of files; each has its own directory. */
    public enum Kind {
        MODELS,
        CORPORA,
        STUDIES,
        /** Settings shared by models, such as defaults; a fragment alone is not a model. */
        FRAGMENTS;

        private String directory() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private ExperimentLibrary() {}

    /** The text of a file, if there is one of this name. */
    public static Optional<String> text(Kind kind, String name) {
        try (InputStream in = ExperimentLibrary.class.getResourceAsStream(path(kind, name))) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String path(Kind kind, String name) {
        return ROOT + kind.directory() + "/" + name + SUFFIX;
    }

    /** The names of all files of a kind, sorted; those in a subdirectory start with its name, as in {@code paper/000-table-3}. */
    public static List<String> names(Kind kind) {
        URL root = ExperimentLibrary.class.getResource(path(Kind.FRAGMENTS, "base"));
        if (root == null) {
            throw new IllegalStateException("no packaged experiments at " + ROOT);
        }
        try {
            URLConnection connection = root.openConnection();
            return connection instanceof JarURLConnection jar
                    ? names(kind, jar)
                    : names(Path.of(root.toURI()).resolveSibling("../" + kind.directory()));
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException("cannot list the packaged experiments", e);
        }
    }

    private static List<String> names(Kind kind, JarURLConnection connection) throws IOException {
        connection.setUseCaches(false);
        String directory = ROOT.substring(1) + kind.directory() + "/";
        try (JarFile jar = connection.getJarFile()) {
            return sorted(jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.startsWith(directory))
                    .map(name -> name.substring(directory.length())));
        }
    }

    private static List<String> names(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return sorted(
                    files.map(file -> directory.relativize(file).toString().replace('\\', '/')));
        }
    }

    private static List<String> sorted(Stream<String> fileNames) {
        return fileNames
                .filter(name -> name.endsWith(SUFFIX))
                .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                .sorted()
                .toList();
    }
}
