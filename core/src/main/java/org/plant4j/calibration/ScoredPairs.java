package org.plant4j.calibration;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.plant4j.metric.Predictions;

/**
 * Scored (document, code) pairs and whether each is right: what calibration learns from and is measured on. They are the
 * best codes of each document, as many as its predictions list, for those are what a coder sees; the thousands of others
 * would drown every measure in easy zeros.
 *
 * @param documentIndex which document a pair belongs to, 0 to {@code documents} − 1
 * @param goldCount codes of all documents, those not among the best included
 */
@SuppressWarnings("ArrayRecordComponent") // plain arrays on the way to a fit, never compared
public record ScoredPairs(double[] scores, boolean[] correct, int[] documentIndex, int documents, long goldCount) {

    public ScoredPairs {
        if (scores.length != correct.length || scores.length != documentIndex.length) {
            throw new IllegalArgumentException("pairs: " + scores.length + " scores, " + correct.length + " right, "
                    + documentIndex.length + " document");
        }
    }

    public static ScoredPairs of(Predictions predictions) {
        int pairs =
                predictions.documents().stream().mapToInt(d -> d.best().size()).sum();
        double[] scores = new double[pairs];
        boolean[] right = new boolean[pairs];
        int[] document = new int[pairs];
        long goldCodes = 0;
        int next = 0;
        for (int d = 0; d < predictions.documents().size(); d++) {
            Predictions.ScoredDocument one = predictions.documents().get(d);
            Set<String> gold = new HashSet<>(one.gold());
            goldCodes += gold.size();
            for (int i = 0; i < one.best().size(); i++, next++) {
                scores[next] = one.scores().get(i);
                right[next] = gold.contains(one.best().get(i));
                document[next] = d;
            }
        }
        return new ScoredPairs(scores, right, document, predictions.documents().size(), goldCodes);
    }

    public int size() {
        return scores.length;
    }

    /** Whether both right and wrong pairs are there; of one kind alone nothing can be learned. */
    boolean hasBothClasses() {
        long hits = IntStream.range(0, size()).filter(i -> correct[i]).count();
        return hits > 0 && hits < size();
    }

    /** All pairs but those of one fold; documents stay whole. */
    ScoredPairs excludingFold(int fold, int folds) {
        int[] kept = IntStream.range(0, size())
                .filter(i -> documentIndex[i] % folds != fold)
                .toArray();
        double[] keptScores = new double[kept.length];
        boolean[] keptRight = new boolean[kept.length];
        int[] keptDocument = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            keptScores[i] = scores[kept[i]];
            keptRight[i] = correct[kept[i]];
            keptDocument[i] = documentIndex[kept[i]];
        }
        return new ScoredPairs(keptScores, keptRight, keptDocument, documents, goldCount);
    }
}
