package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of {@code .txt} files, one document each, joined with codes and mentions from other files. The file name
 * without its suffix is the document id.
 */
final class TextCollection {

    private static final Logger LOG = LoggerFactory.getLogger(TextCollection.class);
    private static final String SUFFIX = ".txt";

    private final Path directory;
    private final List<Path> files;
    private final Set<String> ids;
    private final Map<String, Set<String>> codes = new HashMap<>();
    private final BadRowHandler badRows;

    TextCollection(Path directory, BadRowHandler badRows) {
        this.directory = directory;
        this.badRows = badRows;
        files = TextFiles.list(directory, SUFFIX);
        ids = new HashSet<>();
        for (Path file : files) {
            if (!ids.add(id(file))) {
                throw new UserError(
                        "Two files contain the text of document '" + id(file) + "'",
                        file.toString(),
                        "remove one of them, the plain or the gzip file");
            }
        }
    }

    Path directory() {
        return directory;
    }

    Set<String> ids() {
        return ids;
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Adds the codes of a tab-separated file with the columns document id and code, with or without a header. */
    void readCodes(Path file, CodeSystem system) {
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, badRows)) {
            lines.filter(line -> line.number() > 1 || !line.text().startsWith("file\t"))
                    .forEach(line -> badRows.tryRead(() -> addCode(line, system)));
        }
    }

    private boolean addCode(TextFiles.Line line, CodeSystem system) {
        String[] fields = line.fields("document id", "code");
        return addCodes(fields[0], Set.of(system.canonical(fields[1])), line.where());
    }

    /** Adds codes of a document, whose text must exist. */
    boolean addCodes(String document, Set<String> added, String where) {
        if (!ids.contains(document)) {
            throw new UserError(
                    "No text for document '" + document + "'", where, "add its text file, or remove the row");
        }
        return codes.computeIfAbsent(document, id -> new TreeSet<>()).addAll(added);
    }

    /** All documents, without codes. */
    Stream<Document> uncodedDocuments() {
        return files.stream()
                .flatMap(file -> badRows.tryRead(() -> new Document(id(file), text(file), Set.of())).stream());
    }

    /** The documents that have codes; {@code mentions} returns the annotated mentions of a document id. */
    Stream<Document> codedDocuments(Function<String, List<AnnotatedMention>> mentions) {
        List<Path> coded =
                files.stream().filter(file -> codes.containsKey(id(file))).toList();
        if (coded.size() < files.size()) {
            LOG.info(
                    "{}: skipping {} of {} texts, which have no codes",
                    directory,
                    files.size() - coded.size(),
                    files.size());
        }
        AtomicInteger mismatches = new AtomicInteger();
        Stream<Document> documents = coded.stream()
                .flatMap(file -> badRows.tryRead(() -> codedDocument(file, mentions, mismatches)).stream());
        return Stream.concat(documents, Stream.of(mismatches).flatMap(count -> {
            if (count.get() > 0) {
                LOG.warn("{}: {} annotations differ from the text at their offsets", directory, count);
            }
            return Stream.empty();
        }));
    }

    private Document codedDocument(
            Path file, Function<String, List<AnnotatedMention>> mentions, AtomicInteger mismatches) {
        String id = id(file);
        String text = text(file);
        Set<String> gold = codes.getOrDefault(id, Set.of());
        List<AnnotatedMention> relevant = mentions.apply(id).stream()
                .filter(mention -> gold.contains(mention.code()))
                .toList();
        MentionAligner.Aligned aligned = MentionAligner.align(text, relevant, badRows);
        mismatches.addAndGet(aligned.mismatches());
        return new Document(id, text, gold, aligned.evidence());
    }

    private static String id(Path file) {
        return TextFiles.stem(file, SUFFIX).orElseThrow();
    }

    private static String text(Path file) {
        String text = TextFiles.read(file, Document.MAX_CHARACTERS);
        if (text.isBlank()) {
            throw new UserError("The text is empty", file.toString(), "remove the file");
        }
        return text;
    }
}
