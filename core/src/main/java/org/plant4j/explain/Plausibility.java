package org.plant4j.explain;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.plant4j.Span;
import org.plant4j.metric.TopK;
import org.plant4j.text.TokenizedText;

/**
 * Agreement of evidence with human annotations, per token: precision, recall, F1 and intersection over union of the selected
 * spans, and average precision (area under the precision-recall curve) of the token weights.
 */
public record Plausibility(double precision, double recall, double f1, double iou, double auprc, int pairs) {

    /** For one document and label; empty if no token overlaps the gold spans. */
    public static Optional<Plausibility> of(TokenizedText tokens, float[] weights, List<Span> spans, List<Span> gold) {
        TokenWeights.check(weights, tokens.size());
        return of(TokenWeights.overlapping(tokens, spans), weights, TokenWeights.overlapping(tokens, gold));
    }

    static Optional<Plausibility> of(boolean[] selected, float[] weights, boolean[] gold) {
        int both = 0;
        int selectedCount = 0;
        int goldCount = 0;
        for (int t = 0; t < gold.length; t++) {
            both += selected[t] && gold[t] ? 1 : 0;
            selectedCount += selected[t] ? 1 : 0;
            goldCount += gold[t] ? 1 : 0;
        }
        if (goldCount == 0) {
            return Optional.empty();
        }
        double precision = selectedCount == 0 ? 0 : (double) both / selectedCount;
        double recall = (double) both / goldCount;
        double f1 = 2.0 * both / (selectedCount + goldCount);
        double iou = (double) both / (selectedCount + goldCount - both);
        return Optional.of(new Plausibility(precision, recall, f1, iou, averagePrecision(weights, gold, goldCount), 1));
    }

    /** Tokens of equal weight share one point of the curve, so that their order does not matter. */
    private static double averagePrecision(float[] weights, boolean[] gold, int goldCount) {
        int[] order = TopK.ranking(weights);
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

    /** The mean over all (document, label) pairs; NaN without pairs. */
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
