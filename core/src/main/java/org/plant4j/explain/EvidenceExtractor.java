package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.support.Arguments;
import org.plant4j.text.TokenizedText;

/**
 * Selects the evidence spans of a label from its token weights.
 *
 * <p>Tokens are selected by descending weight until they hold {@code mass} of the total weight. If tokens are subwords, the
 * whole word is selected. Selected tokens with at most {@code maxGap} other tokens between them are joined to one span; its
 * weight includes the tokens in between.
 */
public final class EvidenceExtractor {

    private final double mass;
    private final int maxTokens;
    private final double minRelativeWeight;
    private final int maxGap;

    /**
     * Creates an extractor.
     *
     * @param maxTokens the maximum number of tokens to select
     * @param minRelativeWeight the minimum weight of a token, relative to the largest weight
     */
    public EvidenceExtractor(double mass, int maxTokens, double minRelativeWeight, int maxGap) {
        Arguments.check(mass > 0 && mass <= 1, "mass", mass, "above 0, at most 1");
        this.mass = mass;
        this.maxTokens = Arguments.atLeast(1, "maxTokens", maxTokens);
        this.minRelativeWeight = Arguments.fraction("minRelativeWeight", minRelativeWeight);
        this.maxGap = Arguments.atLeast(0, "maxGap", maxGap);
    }

    /** 60 % of the weight, at most 15 tokens, each at least 5 % of the largest weight, joined over gaps of one token. */
    public static EvidenceExtractor standard() {
        return new EvidenceExtractor(0.6, 15, 0.05, 1);
    }

    /** The spans by descending weight, ties by position. Empty if all weights are 0. */
    public List<Evidence> extract(float[] weights, TokenizedText tokens, String text) {
        TokenWeights.check(weights, tokens.size());
        boolean[] selected = expandToWords(selectTokens(weights), tokens);
        List<Evidence> spans = new ArrayList<>();
        int t = 0;
        while (t < selected.length) {
            if (!selected[t]) {
                t++;
                continue;
            }
            int last = t;
            for (int next = t + 1; next < selected.length && next <= last + maxGap + 1; next++) {
                last = selected[next] ? next : last;
            }
            double weight = 0;
            for (int inside = t; inside <= last; inside++) {
                weight += weights[inside];
            }
            int start = tokens.spans().get(t).start();
            int end = tokens.spans().get(last).end();
            spans.add(new Evidence(new Span(start, end), text.substring(start, end), weight));
            t = last + 1;
        }
        spans.sort(Comparator.comparingDouble((Evidence s) -> -s.weight()).thenComparing(Evidence::span));
        return List.copyOf(spans);
    }

    /** Selects all subwords of every word that has a selected one. */
    private static boolean[] expandToWords(boolean[] selected, TokenizedText tokens) {
        for (int t = 1; t < selected.length; t++) {
            selected[t] |= selected[t - 1] && tokens.continuesWord(t);
        }
        for (int t = selected.length - 1; t > 0; t--) {
            selected[t - 1] |= selected[t] && tokens.continuesWord(t);
        }
        return selected;
    }

    private boolean[] selectTokens(float[] weights) {
        boolean[] selected = new boolean[weights.length];
        double total = 0;
        for (float weight : weights) {
            total += weight;
        }
        int[] order = TokenWeights.descendingByWeight(weights);
        double selectedWeight = 0;
        for (int rank = 0; rank < Math.min(maxTokens, order.length); rank++) {
            float weight = weights[order[rank]];
            // Tolerate rounding errors: ten weights of 0.1 sum to a mass of 1.
            boolean enough = selectedWeight >= mass * total - 1e-6 * total;
            if (weight == 0 || enough || weight < minRelativeWeight * weights[order[0]]) {
                break;
            }
            selected[order[rank]] = true;
            selectedWeight += weight;
        }
        return selected;
    }
}
