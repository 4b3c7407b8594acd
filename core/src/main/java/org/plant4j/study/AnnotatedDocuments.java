package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Span;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;

/** The coded documents of a part, with the places that humans marked for their codes where the corpus has them. */
public record AnnotatedDocuments(List<AnnotatedDocument> documents) {

    /** A document, its codes that every model knows, and the spans of those that were marked. */
    public record AnnotatedDocument(
            String text, TokenizedText tokens, List<String> codes, SortedMap<String, List<Span>> spans) {}

    static AnnotatedDocuments of(Experiment experiment, String part, Set<String> known, Tokenizer tokenizer) {
        Splits split =
                CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.skip()); // the preparation has told of them
        List<AnnotatedDocument> marked = new ArrayList<>();
        try (Stream<Document> documents = (part.equals(Pipeline.TEST) ? split.test() : split.dev()).documents()) {
            documents.forEachOrdered(document -> {
                List<String> codes =
                        document.codes().stream().filter(known::contains).toList();
                if (!codes.isEmpty()) {
                    TokenizedText tokens = tokenizer.tokenize(document.text());
                    marked.add(new AnnotatedDocument(document.text(), tokens, codes, spans(document, codes)));
                }
            });
        }
        return new AnnotatedDocuments(marked);
    }

    private static SortedMap<String, List<Span>> spans(Document document, List<String> codes) {
        Set<String> wanted = new HashSet<>(codes);
        SortedMap<String, List<Span>> spans = new TreeMap<>();
        document.evidence().stream()
                .filter(evidence -> wanted.contains(evidence.code()))
                .forEach(evidence -> spans.computeIfAbsent(evidence.code(), code -> new ArrayList<>())
                        .addAll(evidence.spans()));
        return spans;
    }

    /** The same documents, cut as another model reads them. */
    AnnotatedDocuments retokenize(Tokenizer tokenizer) {
        return new AnnotatedDocuments(documents.stream()
                .map(document -> new AnnotatedDocument(
                        document.text(), tokenizer.tokenize(document.text()), document.codes(), document.spans()))
                .toList());
    }

    boolean hasSpans() {
        return documents.stream().anyMatch(document -> !document.spans().isEmpty());
    }

    /** The codes that most documents have; ties go to the code that sorts first. */
    List<String> mostFrequent(int count) {
        Map<String, Integer> frequencies = new TreeMap<>();
        documents.forEach(document -> document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum)));
        return frequencies.entrySet().stream()
                .sorted((a, b) -> Integer.compare(b.getValue(), a.getValue())) // stable
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** How often each word stands in what humans marked for a code. */
    Map<String, Double> annotatedTokens(String code) {
        Map<String, Double> words = new HashMap<>();
        for (AnnotatedDocument document : documents) {
            List<Span> spans = document.spans().getOrDefault(code, List.of());
            for (int t = 0; t < document.tokens().size(); t++) {
                if (spans.stream().anyMatch(document.tokens().spans().get(t)::overlaps)) {
                    words.merge(document.tokens().tokens().get(t), 1.0, Double::sum);
                }
            }
        }
        return words;
    }
}
