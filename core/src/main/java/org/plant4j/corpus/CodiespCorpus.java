package org.plant4j.corpus;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.plant4j.UserError;

/**
 * One set of CodiEsp (CLEF eHealth 2020), Spanish clinical cases with ICD-10-CM and ICD-10-PCS codes, as published: texts
 * in {@code text_files} or in English in {@code text_files_en}, codes in {@code *D.tsv} and {@code *P.tsv}, evidence in
 * {@code *X.tsv}, which counts in the Spanish text only. Where the set has codes, a text without one of the wanted kind
 * is left out; the test set has none and gives documents without codes.
 */
public final class CodiespCorpus implements Corpus {

    /** Which codes are read: diagnoses (ICD-10-CM), procedures (ICD-10-PCS) or both. */
    public enum Kind {
        D,
        P,
        BOTH;

        private boolean wants(Kind one) {
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
    private final Kind kind;
    private final Language language;
    private final BadRows badRows;

    /** Reads a folder such as {@code codiesp/train}. */
    public CodiespCorpus(Path folder, Kind kind, Language language, BadRows badRows) {
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
                    new TreeSet<>(texts.stream().map(TextFolderCorpus::id).toList());
            for (Kind one : List.of(Kind.D, Kind.P)) {
                if (kind.wants(one)) {
                    readCodes(one, ids, codes);
                }
            }
        }
        Map<String, List<Mention>> mentions = uncoded || language == Language.EN ? Map.of() : mentions();
        return texts.stream()
                .filter(file -> uncoded || codes.containsKey(TextFolderCorpus.id(file)))
                .flatMap(file -> badRows.attempt(() -> document(file, codes, mentions)).stream());
    }

    private Document document(Path file, Map<String, Set<String>> codes, Map<String, List<Mention>> mentions) {
        String id = TextFolderCorpus.id(file);
        String text = TextFolderCorpus.text(file);
        Set<String> own = codes.getOrDefault(id, Set.of());
        List<Mention> noted = mentions.getOrDefault(id, List.of()).stream()
                .filter(mention -> own.contains(mention.code()))
                .toList();
        return new Document(id, text, own, Mentions.place(text, noted, badRows));
    }

    private List<Path> tables(String letter) {
        return TextFiles.list(folder, letter + ".tsv");
    }

    private void readCodes(Kind one, Set<String> ids, Map<String, Set<String>> codes) {
        List<Path> tables = tables(one.name());
        if (tables.isEmpty()) {
            throw new UserError(
                    "No codes of kind " + one,
                    folder.resolve("*" + one + ".tsv").toString(),
                    "add the file, or choose the other kind");
        }
        for (Path table : tables) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(table, badRows)) {
                lines.forEach(line -> badRows.attempt(() -> {
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

    private Map<String, List<Mention>> mentions() {
        Map<String, List<Mention>> mentions = new HashMap<>();
        for (Path table : tables("X")) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(table, badRows)) {
                lines.forEach(line -> badRows.attempt(() -> {
                    String[] fields = fields(line, 5, "id, kind, code, mention, offsets");
                    Kind one = kind(fields[1], line);
                    if (!kind.wants(one)) {
                        return false;
                    }
                    List<Span> counted = Mention.offsets(fields[4], line.where());
                    return mentions.computeIfAbsent(fields[0], id -> new ArrayList<>())
                            .add(new Mention(canonical(one, fields[2]), counted, fields[3], line.where()));
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

    private static Kind kind(String written, TextFiles.Line line) {
        return switch (written.strip().toUpperCase(Locale.ROOT)) {
            case "DIAGNOSTICO" -> Kind.D;
            case "PROCEDIMIENTO" -> Kind.P;
            default ->
                throw new UserError("Unknown kind of code", line.where(), "expected: DIAGNOSTICO or PROCEDIMIENTO");
        };
    }

    private static String canonical(Kind one, String written) {
        return (one == Kind.D ? CodeSystem.ICD_10_CM : CodeSystem.ICD_10_PCS).canonical(written);
    }
}
