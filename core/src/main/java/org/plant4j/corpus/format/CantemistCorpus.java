package org.plant4j.corpus.format;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.corpus.AnnotatedMention;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.MentionAligner;
import org.plant4j.corpus.TextFiles;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.support.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One set of CANTEMIST 2020, Spanish oncology cases with ICD-O-3 morphology codes, as published: the codes in {@code
 * cantemist-coding/*-coding.tsv}, the texts beside it in {@code txt/}, the evidence in {@code cantemist-norm/*.ann}. The
 * test set and the background set hold texts only and give documents without codes; in the other sets a text without a
 * code, such as {@code cc_onco853}, is left out.
 */
public final class CantemistCorpus implements Corpus {

    private static final Logger LOG = LoggerFactory.getLogger(CantemistCorpus.class);

    private final Path folder;
    private final BadRowHandler badRows;

    /** Reads a folder such as {@code cantemist/train-set}. */
    public CantemistCorpus(Path folder, BadRowHandler badRows) {
        this.folder = folder;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(folder.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        Path coding = folder.resolve("cantemist-coding");
        List<Path> tables = Files.isDirectory(coding) ? TextFiles.list(coding, "-coding.tsv") : List.of();
        List<Path> texts = texts();
        if (tables.isEmpty()) {
            return texts.stream()
                    .flatMap(file -> badRows
                            .tryRead(() -> new Document(
                                    TextDirectoryCorpus.id(file), TextDirectoryCorpus.text(file), Set.of()))
                            .stream());
        }
        Map<String, Set<String>> codes = codes(tables, texts);
        List<Path> coded = texts.stream()
                .filter(file -> codes.containsKey(TextDirectoryCorpus.id(file)))
                .toList();
        if (coded.size() < texts.size()) {
            LOG.info(
                    "{}: {} of {} texts have no code and are left out",
                    name(),
                    texts.size() - coded.size(),
                    texts.size());
        }
        return coded.stream()
                .flatMap(file ->
                        badRows
                                .tryRead(() ->
                                        document(file, codes.getOrDefault(TextDirectoryCorpus.id(file), Set.of())))
                                .stream());
    }

    /** The texts, wherever this set keeps them. */
    private List<Path> texts() {
        for (String place : List.of("cantemist-coding/txt", "cantemist-norm", "")) {
            Path texts = folder.resolve(place);
            if (Files.isDirectory(texts)) {
                List<Path> found = TextFiles.list(texts, ".txt");
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        throw new UserError(
                "No CANTEMIST texts found",
                folder.toString(),
                "name the folder of one set, such as train-set or background-set");
    }

    private Map<String, Set<String>> codes(List<Path> tables, List<Path> texts) {
        Set<String> ids =
                new TreeSet<>(texts.stream().map(TextDirectoryCorpus::id).toList());
        Map<String, Set<String>> codes = new HashMap<>();
        for (Path table : tables) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(table, badRows)) {
                lines.filter(line -> line.number() > 1 || !line.text().startsWith("file\t"))
                        .forEach(line -> badRows.tryRead(() -> {
                            String[] fields = line.text().split("\t", -1);
                            if (fields.length != 2 || fields[1].isBlank()) {
                                throw new UserError("Not a coding row", line.where(), "expected: file, tab, code");
                            }
                            if (!ids.contains(fields[0])) {
                                throw new UserError(
                                        "No text for document '" + fields[0] + "'",
                                        line.where(),
                                        "add its text file, or drop the row");
                            }
                            return codes.computeIfAbsent(fields[0], id -> new TreeSet<>())
                                    .add(CodeSystem.ICD_O_3.canonical(fields[1]));
                        }));
            }
        }
        return codes;
    }

    private Document document(Path file, Set<String> codes) {
        String id = TextDirectoryCorpus.id(file);
        String text = TextDirectoryCorpus.text(file);
        Path annotation = TextFiles.resolve(folder.resolve("cantemist-norm"), id + ".ann");
        List<AnnotatedMention> mentions = Files.exists(annotation) ? mentions(annotation, codes) : List.of();
        return new Document(id, text, codes, MentionAligner.align(text, mentions, badRows));
    }

    /** Joins brat's text lines ({@code T1⇥TYPE 5 9⇥mention}) with the notes that hold their codes. */
    private List<AnnotatedMention> mentions(Path annotation, Set<String> codes) {
        Map<String, AnnotatedMention> texts = new HashMap<>();
        List<AnnotatedMention> mentions = new ArrayList<>();
        try (Stream<TextFiles.Line> lines = TextFiles.lines(annotation, badRows)) {
            lines.forEach(line -> badRows.tryRead(() -> read(line, texts, mentions)));
        }
        return mentions.stream()
                .filter(mention -> codes.contains(mention.code()))
                .toList();
    }

    private static boolean read(
            TextFiles.Line line, Map<String, AnnotatedMention> texts, List<AnnotatedMention> mentions) {
        String[] fields = line.text().split("\t", -1);
        if (fields.length != 3) {
            throw new UserError("Not a brat annotation", line.where(), "expected three fields separated by tabs");
        }
        String[] head = fields[1].split(" ", 2);
        if (fields[0].startsWith("T") && head.length == 2) {
            texts.put(
                    fields[0],
                    new AnnotatedMention(
                            "", AnnotatedMention.parseOffsets(head[1], line.where()), fields[2], line.where()));
        } else if (head[0].equals("AnnotatorNotes") && head.length == 2) {
            AnnotatedMention noted = texts.get(head[1]);
            if (noted == null) {
                throw new UserError(
                        "A note on '" + head[1] + "', which is not above it", line.where(), "check the file");
            }
            String code = CodeSystem.ICD_O_3.canonical(fields[2]);
            mentions.add(new AnnotatedMention(code, noted.offsets(), noted.text(), noted.where()));
        }
        return true;
    }
}
