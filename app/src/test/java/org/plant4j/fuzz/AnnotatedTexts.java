package org.plant4j.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.plant4j.Document;
import org.plant4j.GoldEvidence;
import org.plant4j.Span;

/** What the targets of CANTEMIST and CodiEsp share: documents with mentions, and checks of what a reader returns. */
final class AnnotatedTexts {

    private AnnotatedTexts() {}

    /** Documents with codes of one system, each with one or two mentions of its codes. */
    static List<Document> documents(String prefix, List<String> codes, FuzzInput input) {
        List<Document> documents = new ArrayList<>();
        for (int n = input.between(1, 3); n > 0; n--) {
            String text = OddText.valid(input, 25);
            Set<String> gold = new TreeSet<>();
            List<GoldEvidence> evidence = new ArrayList<>();
            for (int m = input.between(1, 3); m > 0; m--) {
                String code = input.pick(codes);
                gold.add(code);
                if (input.chance(0.7)) {
                    evidence.add(new GoldEvidence(code, List.of(RandomDocuments.span(text, input))));
                }
            }
            documents.add(new Document(prefix + documents.size(), text, gold, evidence));
        }
        return documents;
    }

    /** The offsets as annotation tools count them, in code points. */
    static String offsets(Document document, GoldEvidence evidence) {
        return evidence.spans().stream()
                .map(span -> points(document, span.start()) + " " + points(document, span.end()))
                .collect(Collectors.joining(";"));
    }

    private static int points(Document document, int index) {
        return document.text().codePointCount(0, index);
    }

    /** The text of a mention on one line, as annotation tools write it. */
    static String mention(Document document, GoldEvidence evidence) {
        Span span = evidence.spans().get(0);
        return document.text().substring(span.start(), span.end()).replaceAll("[\\t\\r\\n]", " ");
    }

    /** Lines with any line end, and now and then an empty one. */
    static String lines(List<String> lines, FuzzInput input) {
        String lineEnd = input.pick("\n", "\n", "\r\n");
        StringBuilder out = new StringBuilder();
        lines.forEach(line -> out.append(line).append(lineEnd).append(input.chance(0.05) ? lineEnd : ""));
        return out.toString();
    }

    /** Reads files of which one was damaged: texts must be as stored, and evidence must belong to a gold code. */
    static Outcome damaged(String format, CorpusFiles files, String texts, Path directory, FuzzInput input) {
        String name = input.pick(files.names());
        input.step("in " + name);
        files.put(name, ByteMutator.mutate(files.get(name), input));
        for (Document document : CorpusFiles.read(format, files.write(directory), Map.of())) {
            Optional<byte[]> bytes = Optional.ofNullable(files.get(texts + document.id() + ".txt"));
            SilentDifference.check(
                    bytes.map(stored -> new String(stored, StandardCharsets.UTF_8))
                            .orElse(""),
                    document.text());
            for (GoldEvidence evidence : document.evidence()) {
                if (!document.codes().contains(evidence.code())
                        || evidence.spans().stream()
                                .anyMatch(span -> span.end() > document.text().length())) {
                    throw new SilentDifference("evidence " + evidence + " of " + document.codes());
                }
            }
        }
        return Outcome.ACCEPTED;
    }
}
