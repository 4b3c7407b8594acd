package org.plant4j.encoder.importer;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.plant4j.UserError;

/**
 * The files of a published model: a directory, or the extracted files of a jar, which closing deletes. If the source is a
 * single weights file, other weights in its directory are ignored.
 */
record ModelArchive(Path directory, Optional<Path> weights, boolean temporary) implements AutoCloseable {

    private static final Pattern WANTED = Pattern.compile(
            ".*(\\.onnx|\\.safetensors|\\.json|vocab\\.txt|merges\\.txt|sentencepiece\\.bpe\\.model|\\.index|\\.data-\\d+-of-\\d+)");

    /** Opens a source; a jar is extracted into {@code scratch}, which closing deletes. */
    static ModelArchive open(Path source, Path scratch) {
        if (!Files.exists(source)) {
            throw new UserError(
                    "The model does not exist",
                    source.toString(),
                    "use a directory, an .onnx file, a jar, or a Maven coordinate group:artifact:version");
        }
        if (Files.isDirectory(source)) {
            return new ModelArchive(source, Optional.empty(), false);
        }
        String name = source.getFileName().toString();
        return name.endsWith(".jar") || name.endsWith(".zip") ? unpack(source, scratch) : single(source);
    }

    /** Weights files with this extension. */
    List<Path> weights(String ending) {
        return weights.map(file -> file.getFileName().toString().endsWith(ending) ? List.of(file) : List.<Path>of())
                .orElseGet(() -> find(ending));
    }

    /**
     * Files with this name ending, in the directory and its subdirectories; files in a jar may be prefixed with the
     * model name.
     */
    List<Path> find(String ending) {
        try (Stream<Path> files = Files.walk(directory, 2)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().endsWith(ending))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A single weights file, with the other files of its directory. */
    private static ModelArchive single(Path file) {
        if (!file.getFileName().toString().matches(".*\\.(onnx|safetensors)")) {
            throw new UserError(
                    "Unknown file type",
                    file.toString(),
                    "use a directory, an .onnx file, a jar, or a Maven coordinate group:artifact:version");
        }
        return new ModelArchive(Optional.ofNullable(file.getParent()).orElse(Path.of("")), Optional.of(file), false);
    }

    private static ModelArchive unpack(Path jar, Path scratch) {
        try {
            ModelArchive archive = new ModelArchive(createEmptyDirectory(scratch), Optional.empty(), true);
            try (InputStream in = new BufferedInputStream(Files.newInputStream(jar), 1 << 16)) {
                archive.extract(new ZipInputStream(in));
            } catch (ZipException | EOFException | FileAlreadyExistsException | IllegalArgumentException e) {
                archive.close(); // damaged data, or names that repeat or that no file can have
                throw new UserError("The jar is damaged", jar.toString(), "copy or download it again", e);
            } catch (IOException e) {
                archive.close();
                throw e;
            }
            return archive;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + jar, e);
        }
    }

    /** Extracts the wanted files into one directory, including those of nested archives. */
    private void extract(ZipInputStream zip) throws IOException {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            String name = entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
            if (entry.isDirectory()) {
                continue;
            }
            BufferedInputStream content = new BufferedInputStream(zip, 1 << 16);
            if (WANTED.matcher(name).matches()) {
                Files.copy(content, directory.resolve(name));
            } else if (isArchive(content)) {
                extract(new ZipInputStream(content));
            }
        }
    }

    private static boolean isArchive(BufferedInputStream content) throws IOException {
        content.mark(4);
        byte[] start = content.readNBytes(4);
        content.reset();
        return start.length == 4 && start[0] == 'P' && start[1] == 'K' && start[2] == 3 && start[3] == 4;
    }

    @Override
    public void close() {
        if (temporary) {
            deleteRecursively(directory);
        }
    }

    /** Creates an empty directory, deleting the remains of an interrupted import. */
    static Path createEmptyDirectory(Path path) throws IOException {
        if (Files.exists(path)) {
            deleteRecursively(path);
        }
        return Files.createDirectories(path);
    }

    /** Deletes a directory and its content. */
    static void deleteRecursively(Path path) {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + path, e);
        }
    }
}
