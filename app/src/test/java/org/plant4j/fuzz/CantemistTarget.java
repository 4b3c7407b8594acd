package org.plant4j.fuzz;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;

/** The reader of CANTEMIST: texts, codes and brat annotations. */
final class CantemistTarget implements FuzzTarget {

    private static final List<String> CODES = List.of("8000/6", "8140/3", "8140/34", "8000/6/H", "8500/3");
    private static final String TEXTS = "cantemist-coding/txt/";
    private static final String CODE_FILE = "cantemist-coding/train-coding.tsv";

    private final Path directory;

    CantemistTarget(Path directory) {
        this.directory = directory;
    }

    @Override
    public String name() {
        return "cantemist";
    }

    @Override
    public Outcome test(FuzzInput input) {
        List<Document> documents = AnnotatedTexts.documents("cc_onco", CODES, input);
        CorpusFiles files = files(documents, input);
        return switch (input.below(3)) {
            case 0 -> {
                if (input.chance(0.3)) {
                    files.compress(input.pick(files.names()), input);
                }
                SilentDifference.check(documents, FuzzInput.accepted(() -> read(files)));
                yield Outcome.SAME;
            }
            case 1 -> Verdict.REFUSE.check(() -> read(makeInvalid(documents, files, input)));
            default -> AnnotatedTexts.damaged("cantemist", files, TEXTS, directory, input);
        };
    }

    private List<Document> read(CorpusFiles files) {
        return CorpusFiles.read("cantemist", files.write(directory), Map.of());
    }

    private static CorpusFiles files(List<Document> documents, FuzzInput input) {
        CorpusFiles files = new CorpusFiles();
        List<String> rows = new ArrayList<>();
        for (Document document : documents) {
            files.put(TEXTS + document.id() + ".txt", document.text());
            document.codes().forEach(code -> rows.add(document.id() + "\t" + code.toLowerCase(Locale.ROOT)));
            if (!document.evidence().isEmpty() || input.chance(0.5)) {
                files.put(annotationFile(document), AnnotatedTexts.lines(annotations(document, input), input));
            }
        }
        Collections.shuffle(rows, input.random());
        if (input.chance(0.5)) {
            rows.add(0, "file\tcode");
        }
        if (input.chance(0.3)) {
            files.put(TEXTS + "without_codes.txt", "Sin tumor.");
        }
        return files.put(CODE_FILE, AnnotatedTexts.lines(rows, input));
    }

    private static String annotationFile(Document document) {
        return "cantemist-norm/" + document.id() + ".ann";
    }

    /** Text-bound annotations and their comments, adjacent or all comments last. */
    private static List<String> annotations(Document document, FuzzInput input) {
        List<String> first = new ArrayList<>();
        List<String> last = new ArrayList<>();
        boolean adjacent = input.chance(0.5);
        for (GoldEvidence evidence : document.evidence()) {
            int number = first.size() + 1;
            first.add("T" + number + "\tMORFOLOGIA_NEOPLASIA " + AnnotatedTexts.offsets(document, evidence) + "\t"
                    + AnnotatedTexts.mention(document, evidence));
            (adjacent ? first : last).add("#" + number + "\tAnnotatorNotes T" + number + "\t" + evidence.code());
        }
        first.addAll(last);
        return first;
    }

    /** An error that a reader must report. */
    private static CorpusFiles makeInvalid(List<Document> documents, CorpusFiles files, FuzzInput input) {
        Document document = input.pick(documents);
        String code = document.codes().iterator().next();
        String note = "\n#9\tAnnotatorNotes T9\t" + code;
        String mistake = switch (input.below(7)) {
            case 0 -> "T9\tM 0 " + (document.text().length() + input.between(1, 1000)) + "\tx" + note;
            case 1 -> "T9\tM 5 2\tx" + note;
            case 2 -> "T9\tM -1 2\tx" + note;
            case 3 -> "T9\tM 0 " + (1L << 32) + "\tx" + note;
            case 4 -> "T9\tM 0 1" + note;
            case 5 -> "T9\tM zero one\tx" + note;
            default -> "#9\tAnnotatorNotes T9\t" + code;
        };
        input.step("annotate " + document.id() + ": " + mistake);
        return files.put(annotationFile(document), mistake + "\n");
    }
}
