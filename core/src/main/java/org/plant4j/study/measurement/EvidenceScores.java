package org.plant4j.study.measurement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.experiment.ComputeSettings;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.explain.EvidenceExtractor;
import org.plant4j.explain.Plausibility;
import org.plant4j.model.Model;
import org.plant4j.model.output.PredictionRequest;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.Tokenizer;
import org.plant4j.text.Vocabulary;

/**
 * The evidence of one run or of a reference without a model.
 *
 * @param byDocument the plausibility of each annotated label, by document
 * @param tokenWeights the total weight of each token, by code
 * @param phrases the n-grams around the token with the highest weight of a document, with this weight, by code
 */
public record EvidenceScores(
        List<List<Plausibility>> byDocument,
        Map<String, Map<String, Double>> tokenWeights,
        Map<String, Map<String, Double>> phrases) {

    /** Tokens on each side of the centre of an n-gram: 5-grams, as in table 5 of the ISD paper. */
    private static final int SIDE = 2;

    /** Returns the token weights of each of a document's codes. */
    @FunctionalInterface
    private interface EvidenceSource {
        float[][] weights(AnnotatedDocuments.AnnotatedDocument document, int index);
    }

    /** The evidence of a trained model; token weights are summed for the given codes only. */
    public static EvidenceScores ofRun(
            RunDirectory directory, ComputeSettings compute, AnnotatedDocuments documents, Set<String> codes) {
        Vocabulary vocabulary = Vocabulary.read(directory.vocabulary());
        LabelIndex labels = LabelIndex.read(directory.labels());
        try (Tokenizer tokenizer = directory.openTokenizer();
                Model model =
                        directory.modelConfig().load(directory.path(), vocabulary.size(), labels, compute.open())) {
            return score(documents.retokenize(tokenizer), codes, false, (document, index) -> {
                int[] gold = labels.ids(document.codes()).toArray();
                return model.predict(List.of(vocabulary.ids(document.tokens())), PredictionRequest.evidence(gold))
                        .get(0)
                        .evidence();
            });
        }
    }

    /** Random weights, as a lower reference. */
    public static EvidenceScores random(AnnotatedDocuments documents) {
        return score(documents, Set.of(), false, (document, index) -> {
            SplittableRandom random = new SplittableRandom(index);
            float[][] weights = emptyWeights(document);
            for (float[] row : weights) {
                for (int t = 0; t < row.length; t++) {
                    row[t] = (float) random.nextDouble();
                }
            }
            return weights;
        });
    }

    /** Uniform weights, with the whole document as evidence. */
    public static EvidenceScores uniform(AnnotatedDocuments documents) {
        return score(documents, Set.of(), true, (document, index) -> {
            float[][] weights = emptyWeights(document);
            for (float[] row : weights) {
                Arrays.fill(row, 1f / row.length);
            }
            return weights;
        });
    }

    private static float[][] emptyWeights(AnnotatedDocuments.AnnotatedDocument document) {
        return new float[document.codes().size()][document.tokens().size()];
    }

    private static EvidenceScores score(
            AnnotatedDocuments documents, Set<String> codes, boolean wholeDocument, EvidenceSource source) {
        List<List<Plausibility>> byDocument = new ArrayList<>();
        Map<String, Map<String, Double>> tokenWeights = new HashMap<>();
        Map<String, Map<String, Double>> phrases = new HashMap<>();
        for (int d = 0; d < documents.documents().size(); d++) {
            AnnotatedDocuments.AnnotatedDocument document =
                    documents.documents().get(d);
            float[][] weights = source.weights(document, d);
            List<Plausibility> annotated = new ArrayList<>();
            for (int c = 0; c < weights.length; c++) {
                String code = document.codes().get(c);
                List<Span> gold = document.spans().getOrDefault(code, List.of());
                if (!gold.isEmpty()) {
                    plausibility(document, weights[c], gold, wholeDocument).ifPresent(annotated::add);
                }
                if (codes.contains(code)) {
                    addWeights(tokenWeights.computeIfAbsent(code, it -> new HashMap<>()), document, weights[c]);
                    addPhrase(phrases.computeIfAbsent(code, it -> new HashMap<>()), document, weights[c]);
                }
            }
            byDocument.add(annotated);
        }
        return new EvidenceScores(byDocument, tokenWeights, phrases);
    }

    private static Optional<Plausibility> plausibility(
            AnnotatedDocuments.AnnotatedDocument document, float[] weights, List<Span> gold, boolean wholeDocument) {
        List<Span> spans = wholeDocument
                ? List.of(new Span(0, document.text().length()))
                : EvidenceExtractor.standard().extract(weights, document.tokens(), document.text()).stream()
                        .map(Evidence::span)
                        .toList();
        return Plausibility.of(document.tokens(), weights, spans, gold);
    }

    private static void addPhrase(
            Map<String, Double> phrases, AnnotatedDocuments.AnnotatedDocument document, float[] weights) {
        int best = 0;
        for (int t = 1; t < weights.length; t++) {
            best = weights[t] > weights[best] ? t : best;
        }
        if (weights.length > 0 && weights[best] > 0) {
            List<String> tokens = document.tokens().tokens();
            String phrase = String.join(
                    " ", tokens.subList(Math.max(0, best - SIDE), Math.min(tokens.size(), best + SIDE + 1)));
            phrases.merge(phrase, (double) weights[best], Math::max);
        }
    }

    private static void addWeights(
            Map<String, Double> sums, AnnotatedDocuments.AnnotatedDocument document, float[] weights) {
        for (int t = 0; t < weights.length; t++) {
            if (weights[t] > 0) {
                sums.merge(document.tokens().tokens().get(t), (double) weights[t], Double::sum);
            }
        }
    }
}
