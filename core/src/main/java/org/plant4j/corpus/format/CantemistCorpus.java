package org.plant4j.corpus.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Span;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * One set of CANTEMIST (IberLEF 2020), Spanish oncology cases with ICD-O-3 morphology codes, in its published layout:
 * codes in {@code cantemist-coding/*-coding.tsv}, texts in {@code cantemist-coding/txt}, annotations in {@code
 * cantemist-norm/*.ann}. A text without codes, such as {@code cc_onco853}, is skipped. The test and background sets
 * have no codes at all; their documents are read without codes.
 */
final class CantemistCorpus implements Corpus {

    static final CorpusFormat FORMAT = new CorpusFormat(
            "cantemist",
            List.of(),
            (path, options, badRows) ->
                    OpenedCorpus.ofPaths(path, directory -> new CantemistCorpus(directory, badRows)));

    private static final String CODING = "cantemist-coding";
    private static final String ANNOTATIONS = "cantemist-norm";
    private static final List<String> TEXT_DIRECTORIES = List.of(CODING + "/txt", ANNOTATIONS, "");

    private final Path directory;
    private final BadRowHandler badRows;

    /** Reads a directory such as {@code cantemist/train-set}. */
    CantemistCorpus(Path directory, BadRowHandler badRows) {
        this.directory = directory;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(directory.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        Path coding = directory.resolve(CODING);
        List<Path> codeFiles = Files.isDirectory(coding) ? TextFiles.list(coding, "-coding.tsv") : List.of();
        TextCollection texts = texts();
        if (codeFiles.isEmpty()) {
            return texts.uncodedDocuments();
        }
        codeFiles.forEach(file -> texts.readCodes(file, CodeSystem.ICD_O_3));
        return texts.codedDocuments(this::mentions);
    }

    /** The texts, which each set keeps in another directory. */
    private TextCollection texts() {
        return TEXT_DIRECTORIES.stream()
                .map(directory::resolve)
                .filter(Files::isDirectory)
                .map(candidate -> new TextCollection(candidate, badRows))
                .filter(texts -> !texts.isEmpty())
                .findFirst()
                .orElseThrow(() -> new UserError(
                        "No CANTEMIST texts found",
                        directory.toString(),
                        "name the directory of one set, such as train-set or background-set"));
    }

    private List<AnnotatedMention> mentions(String id) {
        Path file = TextFiles.resolve(directory.resolve(ANNOTATIONS), id + ".ann");
        if (!Files.exists(file)) {
            return List.of();
        }
        BratAnnotations annotations = new BratAnnotations();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(file, badRows)) {
            lines.forEach(line -> badRows.tryRead(() -> annotations.add(line)));
        }
        return annotations.mentions;
    }

    /** Joins brat's text-bound annotations ({@code T1⇥TYPE 5 9⇥mention}) with the comments that contain their codes. */
    private static final class BratAnnotations {

        private final Map<String, AnnotatedMention> textBound = new HashMap<>();
        private final List<AnnotatedMention> mentions = new ArrayList<>();

        boolean add(TextFiles.Line line) {
            String[] fields = line.text().split("\t", -1);
            if (fields.length != 3) {
                throw new UserError(
                        "Not a brat annotation", line.where(), "write the row as three tab-separated fields");
            }
            String[] head = fields[1].split(" ", 2);
            if (fields[0].startsWith("T") && head.length == 2) {
                List<Span> offsets = AnnotatedMention.parseOffsets(head[1], line.where());
                textBound.put(fields[0], new AnnotatedMention("", offsets, fields[2], line.where()));
            } else if (head[0].equals("AnnotatorNotes") && head.length == 2) {
                AnnotatedMention annotated = textBound.get(head[1]);
                if (annotated == null) {
                    throw new UserError(
                            "Comment on '" + head[1] + "', which is not defined above it",
                            line.where(),
                            "define the annotation first");
                }
                mentions.add(annotated.withCode(CodeSystem.ICD_O_3.canonical(fields[2])));
            }
            return true;
        }
    }
}
