package org.plant4j.explain;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.corpus.Span;
import org.plant4j.text.TokenizedText;

/**
 * How far the evidence shown agrees with what a human marked, token by token: precision, recall, F1 and intersection over
 * union of the chosen spans, and the area under the precision-recall curve of the weights (as average precision).
 */
public record Plausibility(double precision, double recall, double f1, double iou, double auprc, int pairs) {

    /** For one document and code; empty where no token lies in the gold spans, so that nothing could be found. */
    public static Optional<Plausibility> of(TokenizedText tokens, float[] weights, List<Span> chosen, List<Span> gold) {
        TokenWeights.check(weights, tokens.size());
        return of(TokenWeights.overlapping(tokens, chosen), weights, TokenWeights.overlapping(tokens, gold));
    }

    static Optional<Plausibility> of(boolean[] shown, float[] weights, boolean[] gold) {
        int both = 0;
        int shownCount = 0;
        int goldCount = 0;
        for (int t = 0; t < gold.length; t++) {
            both += shown[t] && gold[t] ? 1 : 0;
            shownCount += shown[t] ? 1 : 0;
            goldCount += gold[t] ? 1 : 0;
        }
        if (goldCount == 0) {
            return Optional.empty();
        }
        double precision = shownCount == 0 ? 0 : (double) both / shownCount;
        double recall = (double) both / goldCount;
        double f1 = 2.0 * both / (shownCount + goldCount);
        double iou = (double) both / (shownCount + goldCount - both);
        return Optional.of(new Plausibility(precision, recall, f1, iou, averagePrecision(weights, gold, goldCount), 1));
    }

    /** Tokens of equal weight enter the curve together, so that their order cannot matter. */
    private static double averagePrecision(float[] weights, boolean[] gold, int goldCount) {
        int[] order = TokenWeights.descendingByWeight(weights);
        double area = 0;
        int found = 0;
        int rank = 0;
        while (rank < order.length) {
            int before = found;
            float weight = weights[order[rank]];
            while (rank < order.length && weights[order[rank]] == weight) {
                found += gold[order[rank]] ? 1 : 0;
                rank++;
            }
            area += (double) (found - before) / goldCount * found / rank;
        }
        return area;
    }

    /** The mean over pairs of document and code, each weighing the same; NaN over none. */
    public static Plausibility mean(Collection<Plausibility> all) {
        int pairs = all.stream().mapToInt(Plausibility::pairs).sum();
        return new Plausibility(
                mean(all, Plausibility::precision, pairs),
                mean(all, Plausibility::recall, pairs),
                mean(all, Plausibility::f1, pairs),
                mean(all, Plausibility::iou, pairs),
                mean(all, Plausibility::auprc, pairs),
                pairs);
    }

    private static double mean(Collection<Plausibility> all, ToDoubleFunction<Plausibility> measure, int pairs) {
        return all.stream().mapToDouble(p -> measure.applyAsDouble(p) * p.pairs).sum() / pairs;
    }
}
