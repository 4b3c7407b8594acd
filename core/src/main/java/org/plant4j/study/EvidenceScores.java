package org.plant4j.study;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.plant4j.corpus.Span;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.explain.Plausibility;
import org.plant4j.model.Model;
import org.plant4j.prediction.Evidence;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * What one giver of evidence said for the codes of documents: how well that meets what humans marked, document by
 * document, and which words weighed for a code.
 */
public record EvidenceScores(List<List<Plausibility>> byDocument, Map<String, Map<String, Double>> tokenWeights) {

    /** Gives each code of a document its token weights. */
    @FunctionalInterface
    private interface EvidenceSource {
        float[][] weights(AnnotatedDocuments.AnnotatedDocument document, int index);
    }

    /** A trained run; words are gathered for the codes asked for. */
    static EvidenceScores run(
            RunDirectory folder, Experiment.ComputeSettings compute, AnnotatedDocuments marked, Set<String> codes) {
        Vocabulary vocabulary = Vocabulary.read(folder.vocabulary());
        LabelIndex labels = LabelIndex.read(folder.labels());
        try (Tokenizer tokenizer = folder.openTokenizer();
                Model model = folder.modelConfig().load(folder.path(), vocabulary.size(), labels, compute.open())) {
            return of(
                    marked.retokenize(tokenizer),
                    codes,
                    false,
                    (document, index) -> model.evidence(
                            vocabulary.ids(document.tokens()),
                            labels.ids(document.codes()).toArray()));
        }
    }

    /** Weights drawn at random: what luck reaches. */
    static EvidenceScores random(AnnotatedDocuments marked) {
        return of(marked, Set.of(), false, (document, index) -> {
            SplittableRandom random = new SplittableRandom(index);
            float[][] weights =
                    new float[document.codes().size()][document.tokens().size()];
            for (float[] row : weights) {
                for (int t = 0; t < row.length; t++) {
                    row[t] = (float) random.nextDouble();
                }
            }
            return weights;
        });
    }

    /** Every word alike, the whole document shown. */
    static EvidenceScores uniform(AnnotatedDocuments marked) {
        return of(marked, Set.of(), true, (document, index) -> {
            float[][] weights =
                    new float[document.codes().size()][document.tokens().size()];
            for (float[] row : weights) {
                java.util.Arrays.fill(row, 1f / row.length);
            }
            return weights;
        });
    }

    private static EvidenceScores of(
            AnnotatedDocuments marked, Set<String> codes, boolean whole, EvidenceSource giver) {
        List<List<Plausibility>> byDocument = new ArrayList<>();
        Map<String, Map<String, Double>> words = new HashMap<>();
        for (int d = 0; d < marked.documents().size(); d++) {
            AnnotatedDocuments.AnnotatedDocument document = marked.documents().get(d);
            float[][] weights = giver.weights(document, d);
            List<Plausibility> pairs = new ArrayList<>();
            for (int c = 0; c < weights.length; c++) {
                String code = document.codes().get(c);
                List<Span> gold = document.spans().getOrDefault(code, List.of());
                if (!gold.isEmpty()) {
                    plausibility(document, weights[c], gold, whole).ifPresent(pairs::add);
                }
                if (codes.contains(code)) {
                    add(words.computeIfAbsent(code, it -> new HashMap<>()), document, weights[c]);
                }
            }
            byDocument.add(pairs);
        }
        return new EvidenceScores(byDocument, words);
    }

    private static Optional<Plausibility> plausibility(
            AnnotatedDocuments.AnnotatedDocument document, float[] weights, List<Span> gold, boolean whole) {
        List<Span> chosen = whole
                ? List.of(new Span(0, document.text().length()))
                : EvidenceExtractor.standard().extract(weights, document.tokens(), document.text()).stream()
                        .map(Evidence::span)
                        .toList();
        return Plausibility.of(document.tokens(), weights, chosen, gold);
    }

    private static void add(Map<String, Double> words, AnnotatedDocuments.AnnotatedDocument document, float[] weights) {
        for (int t = 0; t < weights.length; t++) {
            if (weights[t] > 0) {
                words.merge(document.tokens().tokens().get(t), (double) weights[t], Double::sum);
            }
        }
    }
}
