package org.plant4j.encoder.importer;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
import org.plant4j.support.UserError;

/**
 * What a source holds, as a folder: itself, or a jar's files for as long as this is open. Where the source is one file of
 * weights, that file alone counts of its kind.
 */
public record ModelArchive(Path directory, Optional<Path> weights, boolean temporary) implements AutoCloseable {

    private static final Pattern WANTED = Pattern.compile(
            ".*(\\.onnx|\\.safetensors|\\.json|vocab\\.txt|merges\\.txt|sentencepiece\\.bpe\\.model|\\.index|\\.data-\\d+-of-\\d+)");

    /** {@code scratch} is a folder that does not stay: a jar's files may lie there. */
    static ModelArchive open(Path source, Path scratch) {
        if (!Files.exists(source)) {
            throw new UserError(
                    "There is no such model",
                    source.toString(),
                    "name a folder, an .onnx file, a jar, or a Maven coordinate group:artifact:version");
        }
        if (Files.isDirectory(source)) {
            return new ModelArchive(source, Optional.empty(), false);
        }
        String name = source.getFileName().toString();
        return name.endsWith(".jar") || name.endsWith(".zip") ? unpack(source, scratch) : single(source);
    }

    /** Files of weights by their ending. */
    List<Path> weights(String ending) {
        return weights.map(file -> file.getFileName().toString().endsWith(ending) ? List.of(file) : List.<Path>of())
                .orElseGet(() -> find(ending));
    }

    /** Files whose names end so, in the folder and those just below; a jar's may carry the model's name before their own. */
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

    /** A file stands for the folder that it lies in. */
    private static ModelArchive single(Path file) {
        if (!file.getFileName().toString().matches(".*\\.(onnx|safetensors)")) {
            throw new UserError(
                    "This file is of no known kind",
                    file.toString(),
                    "name a folder, an .onnx file, a jar, or a Maven coordinate group:artifact:version");
        }
        return new ModelArchive(Optional.ofNullable(file.getParent()).orElse(Path.of("")), Optional.of(file), false);
    }

    private static ModelArchive unpack(Path jar, Path scratch) {
        try {
            ModelArchive unpacked = new ModelArchive(createEmptyDirectory(scratch), Optional.empty(), true);
            try (InputStream in = new BufferedInputStream(Files.newInputStream(jar), 1 << 16)) {
                unpacked.extract(new ZipInputStream(in));
            } catch (ZipException | EOFException e) {
                unpacked.close();
                throw new UserError("The jar is damaged", jar.toString(), "copy or download it again", e);
            } catch (IOException e) {
                unpacked.close();
                throw e;
            }
            return unpacked;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + jar, e);
        }
    }

    /** Files by their own names, whatever folders they lie in; archives within the archive are opened too. */
    private void extract(ZipInputStream zip) throws IOException {
        for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
            String name = Path.of(entry.getName()).getFileName().toString();
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

    /** A new folder; what a killed import left there is removed. */
    static Path createEmptyDirectory(Path folder) throws IOException {
        if (Files.exists(folder)) {
            deleteRecursively(folder);
        }
        return Files.createDirectories(folder);
    }

    /** With all that lies below. */
    static void deleteRecursively(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder, e);
        }
    }
}
