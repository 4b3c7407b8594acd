package org.plant4j.study.measurement;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.Span;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenizedText;
import org.plant4j.text.Tokenizer;

/** The documents of a split with gold labels, and their evidence annotations if the corpus has them. */
public record AnnotatedDocuments(List<AnnotatedDocument> documents) {

    /** A document, its codes within the label space of all models, and the annotated spans of these codes. */
    public record AnnotatedDocument(
            String text, TokenizedText tokens, List<String> codes, SortedMap<String, List<Span>> spans) {}

    /** Reads the documents that have at least one of the known codes. */
    public static AnnotatedDocuments read(Experiment experiment, String split, Set<String> known, Tokenizer tokenizer) {
        // Bad rows were reported when the corpus was prepared.
        Splits splits = CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.skip());
        List<AnnotatedDocument> annotated = new ArrayList<>();
        try (Stream<Document> documents =
                (split.equals(PreparedCorpus.TEST) ? splits.test() : splits.dev()).documents()) {
            documents.forEachOrdered(document -> {
                List<String> codes =
                        document.codes().stream().filter(known::contains).toList();
                if (!codes.isEmpty()) {
                    TokenizedText tokens = tokenizer.tokenize(document.text());
                    annotated.add(new AnnotatedDocument(document.text(), tokens, codes, spans(document, codes)));
                }
            });
        }
        return new AnnotatedDocuments(annotated);
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

    /** The same documents with another tokenizer. */
    AnnotatedDocuments retokenize(Tokenizer tokenizer) {
        return new AnnotatedDocuments(documents.stream()
                .map(document -> new AnnotatedDocument(
                        document.text(), tokenizer.tokenize(document.text()), document.codes(), document.spans()))
                .toList());
    }

    /** A random sample of the documents with annotated spans, in their order; all of them if {@code count} is 0. */
    AnnotatedDocuments sampleAnnotated(int count, long seed) {
        List<AnnotatedDocument> annotated = documents.stream()
                .filter(document -> !document.spans().isEmpty())
                .toList();
        if (count == 0 || count >= annotated.size()) {
            return new AnnotatedDocuments(annotated);
        }
        List<Integer> order =
                new ArrayList<>(IntStream.range(0, annotated.size()).boxed().toList());
        Collections.shuffle(order, new Random(seed));
        return new AnnotatedDocuments(
                order.stream().limit(count).sorted().map(annotated::get).toList());
    }

    public boolean hasSpans() {
        return documents.stream().anyMatch(document -> !document.spans().isEmpty());
    }

    /** The codes with the most documents; ties in alphabetical order. */
    public List<String> mostFrequent(int count) {
        Map<String, Integer> frequencies = new TreeMap<>();
        documents.forEach(document -> document.codes().forEach(code -> frequencies.merge(code, 1, Integer::sum)));
        return frequencies.entrySet().stream()
                .sorted((a, b) -> Integer.compare(b.getValue(), a.getValue())) // stable
                .limit(count)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The frequency of each token in the annotated spans of a code. */
    public Map<String, Double> annotatedTokens(String code) {
        Map<String, Double> counts = new HashMap<>();
        for (AnnotatedDocument document : documents) {
            List<Span> spans = document.spans().getOrDefault(code, List.of());
            for (int t = 0; t < document.tokens().size(); t++) {
                if (spans.stream().anyMatch(document.tokens().spans().get(t)::overlaps)) {
                    counts.merge(document.tokens().tokens().get(t), 1.0, Double::sum);
                }
            }
        }
        return counts;
    }
}
