package org.plant4j.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.Document;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;

/** The files of a corpus in memory, by relative path. */
final class CorpusFiles {

    private final Map<String, byte[]> files = new TreeMap<>();

    CorpusFiles put(String name, String text) {
        return put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    CorpusFiles put(String name, byte[] bytes) {
        files.put(name, bytes);
        return this;
    }

    byte[] get(String name) {
        return files.get(name);
    }

    void remove(String name) {
        files.remove(name);
    }

    List<String> names() {
        return List.copyOf(files.keySet());
    }

    /** Replaces a file by its compressed form, of one or two gzip members. */
    void compress(String name, FuzzInput input) {
        byte[] bytes = files.remove(name);
        files.put(name + ".gz", gzip(bytes, input));
    }

    static byte[] gzip(byte[] bytes, FuzzInput input) {
        int middle = input.chance(0.5) ? 0 : input.below(bytes.length + 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (middle > 0) {
            writeMember(out, bytes, 0, middle);
        }
        writeMember(out, bytes, middle, bytes.length - middle);
        input.step(middle > 0 ? "compress as two gzip members" : "compress");
        return out.toByteArray();
    }

    private static void writeMember(ByteArrayOutputStream out, byte[] bytes, int start, int length) {
        try {
            GZIPOutputStream gzip = new GZIPOutputStream(out);
            gzip.write(bytes, start, length);
            gzip.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the files into a directory, which is emptied first. */
    Path write(Path directory) {
        clear(directory);
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path path = directory.resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return directory;
    }

    static void clear(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Document> read(String format, Path path, Map<String, String> options) {
        try (Stream<Document> documents = CorpusFormats.openCorpus(format, path, options, BadRowHandler.fail())
                .documents()) {
            return documents.toList();
        }
    }
}
