package org.plant4j.corpus.format;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.codeset.CodeSystem;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.file.TextFiles;
import org.plant4j.corpus.format.CorpusFormat.OpenedCorpus;

/**
 * One set of CodiEsp (CLEF eHealth 2020), Spanish clinical cases with ICD-10-CM and ICD-10-PCS codes, in its published
 * layout: texts in {@code text_files}, English translations in {@code text_files_en}, codes in {@code *D.tsv} and
 * {@code *P.tsv}, annotations of the Spanish texts in {@code *X.tsv}. Texts without codes of the chosen kind are
 * skipped. The test set has no codes at all; its documents are read without codes.
 */
final class CodiespCorpus implements Corpus {

    static final CorpusFormat FORMAT =
            new CorpusFormat("codiesp", List.of("codes", "language"), (path, options, badRows) -> {
                CodeKind kind = options.enumValue("codes", CodeKind.class).orElse(CodeKind.D);
                Language language =
                        options.enumValue("language", Language.class).orElse(Language.ES);
                return OpenedCorpus.ofPaths(path, directory -> new CodiespCorpus(directory, kind, language, badRows));
            });

    /** The codes to read: diagnoses (ICD-10-CM), procedures (ICD-10-PCS) or both. */
    enum CodeKind {
        D,
        P,
        BOTH;

        private static final List<CodeKind> SINGLE = List.of(D, P);

        private boolean includes(CodeKind other) {
            return this == BOTH || this == other;
        }

        private CodeSystem system() {
            return this == D ? CodeSystem.ICD_10_CM : CodeSystem.ICD_10_PCS;
        }
    }

    /** The language of the texts; the English ones are machine translations. */
    enum Language {
        ES("text_files"),
        EN("text_files_en");

        private final String directory;

        Language(String directory) {
            this.directory = directory;
        }
    }

    private final Path directory;
    private final CodeKind kind;
    private final Language language;
    private final BadRowHandler badRows;

    /** Reads a directory such as {@code codiesp/train}. */
    CodiespCorpus(Path directory, CodeKind kind, Language language, BadRowHandler badRows) {
        this.directory = directory;
        this.kind = kind;
        this.language = language;
        this.badRows = badRows;
    }

    @Override
    public String name() {
        return String.valueOf(directory.getFileName());
    }

    @Override
    public Stream<Document> documents() {
        TextCollection texts = new TextCollection(directory.resolve(language.directory), badRows);
        if (CodeKind.SINGLE.stream().allMatch(single -> codeFiles(single).isEmpty())) {
            return texts.uncodedDocuments();
        }
        CodeKind.SINGLE.stream().filter(kind::includes).forEach(single -> readCodes(single, texts));
        // Annotation offsets refer to the Spanish texts.
        Map<String, List<AnnotatedMention>> mentions = language == Language.ES ? readMentions() : Map.of();
        return texts.codedDocuments(id -> mentions.getOrDefault(id, List.of()));
    }

    private List<Path> codeFiles(CodeKind single) {
        return TextFiles.list(directory, single + ".tsv");
    }

    private void readCodes(CodeKind single, TextCollection texts) {
        List<Path> files = codeFiles(single);
        if (files.isEmpty()) {
            throw new UserError(
                    "No codes of kind " + single,
                    directory.resolve("*" + single + ".tsv").toString(),
                    "add the file, or choose the other kind");
        }
        files.forEach(file -> texts.readCodes(file, single.system()));
    }

    private Map<String, List<AnnotatedMention>> readMentions() {
        Map<String, List<AnnotatedMention>> mentions = new HashMap<>();
        for (Path file : TextFiles.list(directory, "X.tsv")) {
            try (Stream<TextFiles.Line> lines = TextFiles.lines(file, badRows)) {
                lines.forEach(line -> badRows.tryRead(() -> addMention(line, mentions)));
            }
        }
        return mentions;
    }

    private boolean addMention(TextFiles.Line line, Map<String, List<AnnotatedMention>> mentions) {
        String[] fields = line.fields("document id", "kind", "code", "mention", "offsets");
        CodeKind single = parseKind(fields[1], line);
        if (!kind.includes(single)) {
            return false;
        }
        AnnotatedMention mention = new AnnotatedMention(
                single.system().canonical(fields[2]),
                AnnotatedMention.parseOffsets(fields[4], line.where()),
                fields[3],
                line.where());
        return mentions.computeIfAbsent(fields[0], id -> new ArrayList<>()).add(mention);
    }

    private static CodeKind parseKind(String text, TextFiles.Line line) {
        return switch (text.strip().toUpperCase(Locale.ROOT)) {
            case "DIAGNOSTICO" -> CodeKind.D;
            case "PROCEDIMIENTO" -> CodeKind.P;
            default -> throw new UserError("Unknown kind of code", line.where(), "write DIAGNOSTICO or PROCEDIMIENTO");
        };
    }
}
