package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.corpus.AnnotatedMention;
import org.plant4j.corpus.BadRowHandler;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.MentionAligner;
import org.plant4j.corpus.Span;
import org.plant4j.corpus.TextFiles;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.support.UserError;

/**
 * One set of CodiEsp (CLEF eHealth 2020), Spanish clinical cases with ICD-10-CM and ICD-10-PCS codes, as published: texts
 * in {@code text_files} or in English in {@code text_files_en}, codes in {@code *D.tsv} and {@code *P.tsv}, evidence in
 * {@code *X.tsv}, which counts in the Spanish text only. Where the set has codes, a text without one of the wanted kind
 * is left out; the test set has none and gives documents without codes.
 */
public final class CodiespCorpus implements Corpus {

    /** Which codes are read: diagnoses (ICD-10-CM), procedures (ICD-10-PCS) or both. */
    public enum CodeKind {
        D,
        P,
        BOTH;

        private boolean includes(CodeKind one) {
            return this == BOTH || this == one;
        }
    }

    /** The language of the texts; the English ones are machine translations. */
    public enum Language {
        ES("text_files"),
        EN("text_files_en");

        private final String folder;

        Language(String folder) {
            this.folder = folder;
        }
    }

    private final Path folder;
    private final CodeKind kind;
    private final Language language;
    private final BadRowHandler badRows;

    /** Reads a folder such as {@code codiesp/train}. */
    public CodiespCorpus(Path folder, CodeKind kind, Language language, BadRowHandler badRows) {
        this.folder = folder;
        this.kind = kind;
        this.language = language;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(folder.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        List<Path> texts = TextFiles.list(folder.resolve(language.folder), ".txt");
        boolean uncoded = tables("D").isEmpty() && tables("P").isEmpty();
        Map<String, Set<String>> codes = new HashMap<>();
        if (!uncoded) {
            Set<String> ids =
                    new TreeSet<>(texts.stream().map(TextDirectoryCorpus::id).toList());
            for (CodeKind one : List.of(CodeKind.D, CodeKind.P)) {
                if (kind.includes(one)) {
                    readCodes(one, ids, codes);
                }
            }
        }
        Map<String, List<AnnotatedMention>> mentions = uncoded || language == Language.EN ? Map.of() : mentions();
        return texts.stream()
                .filter(file -> uncoded || codes.containsKey(TextDirectoryCorpus.id(file)))
                .flatMap(file -> badRows.tryRead(() -> document(file, codes, mentions)).stream());
    }

    private Document document(Path file, Map<String, Set<String>> codes, Map<String, List<AnnotatedMention>> mentions) {
        String id = TextDirectoryCorpus.id(file);
        String text = TextDirectoryCorpus.text(file);
        Set<String> own = codes.getOrDefault(id, Set.of());
        List<AnnotatedMention> noted = mentions.getOrDefault(id, List.of()).stream()
                .filter(mention -> own.contains(mention.code()))
                .toList();
        return new Document(id, text, own, MentionAligner.align(text, noted, badRows));
    }

    private List<Path> tables(String letter) {
        return TextFiles.list(folder, letter + ".tsv");
    }

    private void readCodes(CodeKind one, Set<String> ids, Map<String, Set<String>> codes) {
        List<Path> tables = tables(one.name());
        if (tables.isEmpty()) {
            throw new UserError(
                    "No codes of kind " + one,
                    folder.resolve("*" + one + ".tsv").toString(),
                    "add the file, or choose the other kind");
        }
        for (Path table : tables) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(table, badRows)) {
                lines.forEach(line -> badRows.tryRead(() -> {
                    String[] fields = fields(line, 2, "id, code");
                    if (!ids.contains(fields[0])) {
                        throw new UserError(
                                "No text for document '" + fields[0] + "'",
                                line.where(),
                                "add its text, or drop the row");
                    }
                    return codes.computeIfAbsent(fields[0], id -> new TreeSet<>())
                            .add(canonical(one, fields[1]));
                }));
            }
        }
    }

    private Map<String, List<AnnotatedMention>> mentions() {
        Map<String, List<AnnotatedMention>> mentions = new HashMap<>();
        for (Path table : tables("X")) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(table, badRows)) {
                lines.forEach(line -> badRows.tryRead(() -> {
                    String[] fields = fields(line, 5, "id, kind, code, mention, offsets");
                    CodeKind one = kind(fields[1], line);
                    if (!kind.includes(one)) {
                        return false;
                    }
                    List<Span> counted = AnnotatedMention.parseOffsets(fields[4], line.where());
                    return mentions.computeIfAbsent(fields[0], id -> new ArrayList<>())
                            .add(new AnnotatedMention(canonical(one, fields[2]), counted, fields[3], line.where()));
                }));
            }
        }
        return mentions;
    }

    private static String[] fields(TextFiles.Line line, int count, String expected) {
        String[] fields = line.text().split("\t", -1);
        if (fields.length != count || fields[count - 1].isBlank()) {
            throw new UserError("Not a row of " + count + " fields", line.where(), "expected, with tabs: " + expected);
        }
        return fields;
    }

    private static CodeKind kind(String written, TextFiles.Line line) {
        return switch (written.strip().toUpperCase(Locale.ROOT)) {
            case "DIAGNOSTICO" -> CodeKind.D;
            case "PROCEDIMIENTO" -> CodeKind.P;
            default ->
                throw new UserError("Unknown kind of code", line.where(), "expected: DIAGNOSTICO or PROCEDIMIENTO");
        };
    }

    private static String canonical(CodeKind one, String written) {
        return (one == CodeKind.D ? CodeSystem.ICD_10_CM : CodeSystem.ICD_10_PCS).canonical(written);
    }
}
