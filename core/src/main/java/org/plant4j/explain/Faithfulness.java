package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.plant4j.metric.TopK;
import org.plant4j.support.Arguments;

/**
 * Faithfulness of token weights (DeYoung et al., ERASER: A Benchmark to Evaluate Rationalized NLP Models, ACL 2020).
 * Comprehensiveness is the drop of the score without the top tokens (higher is better); sufficiency is the drop with
 * the top tokens alone (lower is better). Both are averaged over several fractions of the document (AOPC).
 */
public record Faithfulness(double comprehensiveness, double sufficiency, int pairs) {

    private static final double[] ERASER_FRACTIONS = {0.01, 0.05, 0.1, 0.2, 0.5};

    /** With the fractions of ERASER: 1, 5, 10, 20 and 50 % of the tokens. */
    public static Faithfulness of(int[] tokens, float[] weights, ToDoubleFunction<int[]> score) {
        return of(tokens, weights, score, ERASER_FRACTIONS);
    }

    /**
     * For one document and label. The number of top tokens is rounded up. Removed tokens leave no gap; {@code score}
     * must accept an empty document.
     */
    public static Faithfulness of(int[] tokens, float[] weights, ToDoubleFunction<int[]> score, double... fractions) {
        return of(
                score.applyAsDouble(tokens.clone()),
                reductions(tokens, weights, fractions).stream()
                        .mapToDouble(score)
                        .toArray());
    }

    /** The reduced documents whose scores {@link #of(double, double[])} needs, with the fractions of ERASER. */
    public static List<int[]> reductions(int[] tokens, float[] weights) {
        return reductions(tokens, weights, ERASER_FRACTIONS);
    }

    /** For each fraction the document without its top tokens, and these tokens alone. */
    private static List<int[]> reductions(int[] tokens, float[] weights, double... fractions) {
        TokenWeights.check(weights, tokens.length);
        Arguments.atLeast(1, "tokens", tokens.length);
        Arguments.atLeast(1, "fractions", fractions.length);
        int[] order = TopK.ranking(weights);
        List<int[]> reductions = new ArrayList<>();
        for (double fraction : fractions) {
            Arguments.check(fraction > 0 && fraction <= 1, "fraction", fraction, "above 0, at most 1");
            int count = Math.max(1, (int) Math.ceil(fraction * tokens.length - 1e-9));
            boolean[] top = new boolean[tokens.length];
            for (int rank = 0; rank < count; rank++) {
                top[order[rank]] = true;
            }
            reductions.add(filter(tokens, top, false));
            reductions.add(filter(tokens, top, true));
        }
        return reductions;
    }

    /** From the score of the whole document and those of its {@link #reductions}. */
    public static Faithfulness of(double fullScore, double[] reducedScores) {
        double comprehensiveness = 0;
        double sufficiency = 0;
        for (int i = 0; i < reducedScores.length; i += 2) {
            comprehensiveness += fullScore - reducedScores[i];
            sufficiency += fullScore - reducedScores[i + 1];
        }
        int fractions = reducedScores.length / 2;
        return new Faithfulness(comprehensiveness / fractions, sufficiency / fractions, 1);
    }

    private static int[] filter(int[] tokens, boolean[] top, boolean keepTop) {
        int[] kept = new int[tokens.length];
        int n = 0;
        for (int t = 0; t < tokens.length; t++) {
            if (top[t] == keepTop) {
                kept[n++] = tokens[t];
            }
        }
        return Arrays.copyOf(kept, n);
    }

    /** The mean over all (document, label) pairs; NaN without pairs. */
    public static Faithfulness mean(Collection<Faithfulness> all) {
        int pairs = all.stream().mapToInt(Faithfulness::pairs).sum();
        double comprehensiveness =
                all.stream().mapToDouble(f -> f.comprehensiveness * f.pairs).sum();
        double sufficiency =
                all.stream().mapToDouble(f -> f.sufficiency * f.pairs).sum();
        return new Faithfulness(comprehensiveness / pairs, sufficiency / pairs, pairs);
    }
}
