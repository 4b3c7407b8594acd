package org.plant4j.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.model.ensemble.Stacking;
import org.plant4j.model.linear.PairRegression.Pair;

/** Fits a {@link Stacking}, and measures by cross-validation how well it does. */
final class StackingFit {

    private static final int FOLDS = 5;

    /**
     * The labels of a document that any member ranks high, in a fixed order that decides ties.
     *
     * @param scores the score of each label by each member
     * @param logFrequencies ln(1 + f) of the training documents f of each label
     * @param gold positions of the gold labels, ascending
     * @param goldCount gold labels of the document, including those that no member ranks high
     */
    @SuppressWarnings("ArrayRecordComponent") // plain arrays for fitting, never compared
    record Candidates(List<double[]> scores, double[] logFrequencies, int[] gold, int goldCount) {

        double averagePrecision(double[] combined) {
            int[] ranks = IntStream.of(gold)
                    .map(label -> 1
                            + (int) IntStream.range(0, combined.length)
                                    .filter(other -> combined[other] > combined[label]
                                            || (combined[other] == combined[label] && other < label))
                                    .count())
                    .sorted()
                    .toArray();
            return new AveragePrecision().compute(GoldRanks.of(ranks, goldCount));
        }

        double[] memberScores(int member) {
            return scores.stream().mapToDouble(row -> row[member]).toArray();
        }

        double[] meanScores() {
            return scores.stream()
                    .mapToDouble(row -> Arrays.stream(row).average().orElse(0))
                    .toArray();
        }

        double[] combined(Stacking stacking) {
            return IntStream.range(0, logFrequencies.length)
                    .mapToDouble(label -> stacking.probability(scores.get(label), logFrequencies[label]))
                    .toArray();
        }

        Stream<Pair> pairs() {
            return IntStream.range(0, scores.size())
                    .mapToObj(label -> Stacking.pair(
                            scores.get(label), logFrequencies[label], Arrays.binarySearch(gold, label) >= 0));
        }
    }

    @FunctionalInterface
    private interface Scoring {
        double[] scores(Candidates document);
    }

    private final List<Candidates> documents;

    StackingFit(List<Candidates> documents) {
        this.documents = documents;
    }

    /** Learned from all documents. */
    Stacking fit() {
        return fit(documents);
    }

    private static Stacking fit(List<Candidates> documents) {
        return Stacking.fit(documents.stream().flatMap(Candidates::pairs).toList());
    }

    /** MAP where each fifth of the documents is scored by what the rest teaches. */
    double crossValidatedMap() {
        double sum = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            List<Candidates> held = new ArrayList<>();
            List<Candidates> others = new ArrayList<>();
            for (int i = 0; i < documents.size(); i++) {
                (i % FOLDS == fold ? held : others).add(documents.get(i));
            }
            if (!held.isEmpty()
                    && others.stream().anyMatch(document -> !document.scores().isEmpty())) {
                Stacking stacking = fit(others);
                sum += map(held, document -> document.combined(stacking)) * held.size();
            }
        }
        return sum / documents.size();
    }

    /** MAP of one member alone. */
    double memberMap(int member) {
        return map(documents, document -> document.memberScores(member));
    }

    /** MAP of the mean score of all members. */
    double meanMap() {
        return map(documents, Candidates::meanScores);
    }

    private static double map(List<Candidates> documents, Scoring scoring) {
        return documents.parallelStream()
                .mapToDouble(document -> document.averagePrecision(scoring.scores(document)))
                .average()
                .orElse(0);
    }
}
