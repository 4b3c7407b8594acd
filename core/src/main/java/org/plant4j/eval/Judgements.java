package org.plant4j.eval;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Scored (document, code) pairs and whether each is right: what calibration learns from and is measured on. They are the
 * best codes of each document, as many as its predictions list, for those are what a coder sees; the thousands of others
 * would drown every measure in easy zeros.
 *
 * @param document which document a pair belongs to, 0 to {@code documents} − 1
 * @param goldCodes codes of all documents, those not among the best included
 */
@SuppressWarnings("ArrayRecordComponent") // plain arrays on the way to a fit, never compared
public record Judgements(double[] scores, boolean[] right, int[] document, int documents, long goldCodes) {

    public Judgements {
        if (scores.length != right.length || scores.length != document.length) {
            throw new IllegalArgumentException("pairs: " + scores.length + " scores, " + right.length + " right, "
                    + document.length + " document");
        }
    }

    public static Judgements of(Predictions predictions) {
        int pairs =
                predictions.documents().stream().mapToInt(d -> d.best().size()).sum();
        double[] scores = new double[pairs];
        boolean[] right = new boolean[pairs];
        int[] document = new int[pairs];
        long goldCodes = 0;
        int next = 0;
        for (int d = 0; d < predictions.documents().size(); d++) {
            Predictions.Scored one = predictions.documents().get(d);
            Set<String> gold = new HashSet<>(one.gold());
            goldCodes += gold.size();
            for (int i = 0; i < one.best().size(); i++, next++) {
                scores[next] = one.scores().get(i);
                right[next] = gold.contains(one.best().get(i));
                document[next] = d;
            }
        }
        return new Judgements(scores, right, document, predictions.documents().size(), goldCodes);
    }

    public int size() {
        return scores.length;
    }

    /** Whether both right and wrong pairs are there; of one kind alone nothing can be learned. */
    boolean isTelling() {
        long hits = IntStream.range(0, size()).filter(i -> right[i]).count();
        return hits > 0 && hits < size();
    }

    /** All pairs but those of one fold; documents stay whole. */
    Judgements without(int fold, int folds) {
        int[] kept = IntStream.range(0, size())
                .filter(i -> document[i] % folds != fold)
                .toArray();
        double[] keptScores = new double[kept.length];
        boolean[] keptRight = new boolean[kept.length];
        int[] keptDocument = new int[kept.length];
        for (int i = 0; i < kept.length; i++) {
            keptScores[i] = scores[kept[i]];
            keptRight[i] = right[kept[i]];
            keptDocument[i] = document[kept[i]];
        }
        return new Judgements(keptScores, keptRight, keptDocument, documents, goldCodes);
    }
}
