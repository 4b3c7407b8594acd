package org.plant4j.corpus.file;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.plant4j.Document;
import org.plant4j.corpus.Corpus;

/** Writes small files for tests of readers, and reads corpora. */
public final class TestFiles {

    private TestFiles() {}

    /** Writes UTF-8, compressed if the name ends in .gz. */
    public static Path file(Path directory, String name, String... lines) throws IOException {
        return file(directory, name, StandardCharsets.UTF_8, String.join("\n", lines) + "\n");
    }

    public static Path file(Path directory, String name, Charset charset, String content) throws IOException {
        return bytes(directory, name, content.getBytes(charset));
    }

    public static Path bytes(Path directory, String name, byte[] content) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        try (OutputStream plain = Files.newOutputStream(file);
                OutputStream out = name.endsWith(".gz") ? new GZIPOutputStream(plain) : plain) {
            out.write(content);
        }
        return file;
    }

    public static List<Document> read(Corpus corpus) {
        try (Stream<Document> documents = corpus.documents()) {
            return documents.toList();
        }
    }

    public static List<String> ids(Corpus corpus) {
        return read(corpus).stream().map(Document::id).toList();
    }

    /** The evidence of a document as code=text. */
    public static List<String> evidenceTexts(Document document) {
        return document.evidence().stream()
                .map(evidence -> evidence.code() + "="
                        + String.join(
                                "|",
                                evidence.spans().stream()
                                        .map(span -> document.text().substring(span.start(), span.end()))
                                        .toList()))
                .toList();
    }
}
