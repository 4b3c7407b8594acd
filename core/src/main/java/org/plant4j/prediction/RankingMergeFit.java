package org.plant4j.prediction;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.plant4j.metric.AveragePrecision;
import org.plant4j.metric.GoldRanks;
import org.plant4j.model.ensemble.MergeRegression;
import org.plant4j.model.linear.PairRegression.Pair;

/** Fits a {@link MergeRegression}, and measures by cross-validation how well it does. */
final class RankingMergeFit {

    static final int FOLDS = 5;

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

        double[] combined(MergeRegression stacking) {
            return IntStream.range(0, logFrequencies.length)
                    .mapToDouble(label -> stacking.probability(scores.get(label), logFrequencies[label]))
                    .toArray();
        }

        Stream<Pair> pairs() {
            return IntStream.range(0, scores.size())
                    .mapToObj(label -> MergeRegression.pair(
                            scores.get(label), logFrequencies[label], Arrays.binarySearch(gold, label) >= 0));
        }
    }

    private final List<Candidates> documents;

    /** Takes {@link #FOLDS} documents or more, each with a label. */
    RankingMergeFit(List<Candidates> documents) {
        this.documents = documents;
    }

    /** Learned from all documents. */
    MergeRegression fit() {
        return fit(documents);
    }

    private static MergeRegression fit(List<Candidates> documents) {
        return MergeRegression.fit(documents.stream().flatMap(Candidates::pairs).toList());
    }

    /** MAP where each fifth of the documents is scored by the regression fitted on the rest. */
    double crossValidatedMap() {
        double sum = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            List<Candidates> held = new ArrayList<>();
            List<Candidates> others = new ArrayList<>();
            for (int i = 0; i < documents.size(); i++) {
                (i % FOLDS == fold ? held : others).add(documents.get(i));
            }
            MergeRegression stacking = fit(others);
            sum += held.stream()
                    .mapToDouble(document -> document.averagePrecision(document.combined(stacking)))
                    .sum();
        }
        return sum / documents.size();
    }
}
