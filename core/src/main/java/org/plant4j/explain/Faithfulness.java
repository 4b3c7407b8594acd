package org.plant4j.explain;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Whether a model's score really hangs on the tokens it points at (DeYoung et al. 2020, ERASER): comprehensiveness is the
 * fall of the score without the heaviest tokens (higher is better), sufficiency its fall with them alone (lower is
 * better). Each is averaged over several fractions of the document, the area over the perturbation curve.
 */
public record Faithfulness(double comprehensiveness, double sufficiency, int pairs) {

    private static final double[] ERASER_FRACTIONS = {0.01, 0.05, 0.1, 0.2, 0.5};

    /** With ERASER's fractions: 1, 5, 10, 20 and 50 % of the tokens. */
    public static Faithfulness of(int[] tokens, float[] weights, ToDoubleFunction<int[]> score) {
        return of(tokens, weights, score, ERASER_FRACTIONS);
    }

    /**
     * For one document and label. A fraction stands for at least one token, rounded up; removed tokens leave no gap, and
     * {@code score} may be asked about an empty document.
     */
    public static Faithfulness of(int[] tokens, float[] weights, ToDoubleFunction<int[]> score, double... fractions) {
        TokenWeights.check(weights, tokens.length);
        if (tokens.length == 0 || fractions.length == 0) {
            throw new IllegalArgumentException(
                    tokens.length + " tokens, " + fractions.length + " fractions (expected: some of each)");
        }
        int[] order = TokenWeights.descendingByWeight(weights);
        double whole = score.applyAsDouble(tokens.clone());
        double comprehensiveness = 0;
        double sufficiency = 0;
        for (double fraction : fractions) {
            if (!(fraction > 0 && fraction <= 1)) {
                throw new IllegalArgumentException("fraction: " + fraction + " (expected: above 0, at most 1)");
            }
            int count = Math.max(1, (int) Math.ceil(fraction * tokens.length - 1e-9));
            boolean[] heavy = new boolean[tokens.length];
            for (int rank = 0; rank < count; rank++) {
                heavy[order[rank]] = true;
            }
            comprehensiveness += whole - score.applyAsDouble(only(tokens, heavy, false));
            sufficiency += whole - score.applyAsDouble(only(tokens, heavy, true));
        }
        return new Faithfulness(comprehensiveness / fractions.length, sufficiency / fractions.length, 1);
    }

    private static int[] only(int[] tokens, boolean[] heavy, boolean wanted) {
        int[] kept = new int[tokens.length];
        int n = 0;
        for (int t = 0; t < tokens.length; t++) {
            if (heavy[t] == wanted) {
                kept[n++] = tokens[t];
            }
        }
        return Arrays.copyOf(kept, n);
    }

    /** The mean over pairs of document and label, each weighing the same; NaN over none. */
    public static Faithfulness mean(Collection<Faithfulness> all) {
        int pairs = all.stream().mapToInt(Faithfulness::pairs).sum();
        double comprehensiveness =
                all.stream().mapToDouble(f -> f.comprehensiveness * f.pairs).sum();
        double sufficiency =
                all.stream().mapToDouble(f -> f.sufficiency * f.pairs).sum();
        return new Faithfulness(comprehensiveness / pairs, sufficiency / pairs, pairs);
    }
}
