package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;

/** The reader of CodiEsp: texts, codes and annotations in tables. */
final class CodiespTarget implements FuzzTarget {

    private static final List<String> CODES = List.of("N44.8", "R60.9", "I10", "C50.919", "Z20.818");
    private static final String TEXTS = "text_files/";

    private final Path directory;

    CodiespTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "codiesp";
    }

    @Override
    public Outcome test(FuzzInput input) {
        List<Document> documents = AnnotatedTexts.documents("S0-", CODES, input);
        return switch (input.below(3)) {
            case 0 -> {
                CorpusFiles files = files(documents, List.of(), input);
                if (input.chance(0.3)) {
                    files.compress(input.pick(files.names()), input);
                }
                SilentDifference.check(documents, FuzzInput.accepted(() -> read(files)));
                yield Outcome.SAME;
            }
            case 1 -> {
                CorpusFiles files = files(documents, List.of(mistake(input.pick(documents), input)), input);
                yield Verdict.REFUSE.check(() -> read(files));
            }
            default -> AnnotatedTexts.damaged("codiesp", files(documents, List.of(), input), TEXTS, directory, input);
        };
    }

    private List<Document> read(CorpusFiles files) {
        return CorpusFiles.read("codiesp", files.write(directory), Map.of());
    }

    private static CorpusFiles files(List<Document> documents, List<String> mistakes, FuzzInput input) {
        CorpusFiles files = new CorpusFiles();
        List<String> codes = new ArrayList<>();
        List<String> mentions = new ArrayList<>(mistakes);
        for (Document document : documents) {
            files.put(TEXTS + document.id() + ".txt", document.text());
            document.codes().forEach(code -> codes.add(document.id() + "\t" + code.toLowerCase(Locale.ROOT)));
            for (GoldEvidence evidence : document.evidence()) {
                mentions.add(row(
                        document,
                        "DIAGNOSTICO",
                        evidence.code(),
                        AnnotatedTexts.mention(document, evidence),
                        AnnotatedTexts.offsets(document, evidence)));
                if (input.chance(0.2)) {
                    mentions.add(row(document, "PROCEDIMIENTO", "bw03zzz", "x", "0 1"));
                }
            }
        }
        files.put("trainD.tsv", AnnotatedTexts.lines(codes, input));
        files.put("trainP.tsv", AnnotatedTexts.lines(List.of(documents.get(0).id() + "\tbw03zzz"), input));
        return files.put("trainX.tsv", AnnotatedTexts.lines(mentions, input));
    }

    private static String row(Document document, String kind, String code, String mention, String offsets) {
        return String.join("\t", document.id(), kind, code.toLowerCase(Locale.ROOT), mention, offsets);
    }

    /** A row that a reader must refuse. */
    private static String mistake(Document document, FuzzInput input) {
        String code = document.codes().iterator().next();
        String row = switch (input.below(6)) {
            case 0 ->
                row(document, "DIAGNOSTICO", code, "x", "0 " + (document.text().length() + 1));
            case 1 -> row(document, "DIAGNOSTICO", code, "x", "7 3");
            case 2 -> row(document, "DIAGNOSTICO", code, "x", "0 " + (1L << 32));
            case 3 -> row(document, "DIAGNOSTICO", code, "x", "0-1");
            case 4 -> row(document, "DIAGNOSTICS", code, "x", "0 1");
            default -> document.id() + "\tDIAGNOSTICO\t" + code;
        };
        input.step("annotate: " + row);
        return row;
    }
}
