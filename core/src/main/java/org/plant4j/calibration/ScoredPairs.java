package org.plant4j.calibration;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.metric.Predictions;
import org.plant4j.support.Arguments;

/**
 * Scored (document, label) pairs with their correctness: the data that calibration is fitted and evaluated on. Only the top
 * labels listed in the predictions are included, because only those are shown to a coder; the thousands of easy
 * negatives would dominate every measure.
 *
 * @param correct whether the label is gold
 * @param documentIndex the document of each pair, 0 to {@code documents} - 1
 * @param goldCount number of gold labels of all documents, including those not listed
 */
@SuppressWarnings("ArrayRecordComponent") // plain arrays for fitting, never compared
public record ScoredPairs(double[] scores, boolean[] correct, int[] documentIndex, int documents, long goldCount) {

    public ScoredPairs {
        Arguments.check(correct.length == scores.length, "correct", correct.length, "" + scores.length);
        Arguments.check(
                documentIndex.length == scores.length, "documentIndex", documentIndex.length, "" + scores.length);
    }

    public static ScoredPairs of(Predictions predictions) {
        int pairs = predictions.documents().stream()
                .mapToInt(d -> d.topCodes().size())
                .sum();
        double[] scores = new double[pairs];
        boolean[] correct = new boolean[pairs];
        int[] documentIndex = new int[pairs];
        long goldCount = 0;
        int next = 0;
        for (int d = 0; d < predictions.documents().size(); d++) {
            Predictions.ScoredDocument scored = predictions.documents().get(d);
            Set<String> gold = new HashSet<>(scored.gold());
            goldCount += gold.size();
            for (int i = 0; i < scored.topCodes().size(); i++, next++) {
                scores[next] = scored.scores().get(i);
                correct[next] = gold.contains(scored.topCodes().get(i));
                documentIndex[next] = d;
            }
        }
        return new ScoredPairs(
                scores, correct, documentIndex, predictions.documents().size(), goldCount);
    }

    public int size() {
        return scores.length;
    }

    /** Whether there are at least so many correct and so many incorrect pairs; one class alone cannot be fitted. */
    boolean hasBothClasses(int least) {
        long hits = IntStream.range(0, size()).filter(i -> correct[i]).count();
        return hits >= least && size() - hits >= least;
    }

    /** All pairs except those of one fold. Folds consist of whole documents. */
    ScoredPairs excludingFold(int fold, int folds) {
        int[] kept = IntStream.range(0, size())
                .filter(i -> documentIndex[i] % folds != fold)
                .toArray();
        double[] keptScores = new double[kept.length];
        boolean[] keptCorrect = new boolean[kept.length];
        int[] keptDocumentIndex = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            keptScores[i] = scores[kept[i]];
            keptCorrect[i] = correct[kept[i]];
            keptDocumentIndex[i] = documentIndex[kept[i]];
        }
        return new ScoredPairs(keptScores, keptCorrect, keptDocumentIndex, documents, goldCount);
    }
}
