package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.text.TokenizedText;

/**
 * Turns the token weights of one code into the few stretches of text worth showing.
 *
 * <p>The heaviest tokens are taken until they hold {@code mass} of all weight, at most {@code most} of them, and none
 * lighter than {@code floor} times the heaviest. Where tokens are pieces of words, their words are taken whole. Taken tokens with at most {@code gap} others between them become one
 * span, whose weight counts the tokens between as well.
 */
public record EvidenceExtractor(double mass, int maxTokens, double minRelativeWeight, int maxGap) {

    public EvidenceExtractor {
        if (!(mass > 0 && mass <= 1)) {
            throw new IllegalArgumentException("mass: " + mass + " (expected: above 0, at most 1)");
        }
        if (maxTokens < 1) {
            throw new IllegalArgumentException("most: " + maxTokens + " (expected: >= 1)");
        }
        if (!(minRelativeWeight >= 0 && minRelativeWeight <= 1)) {
            throw new IllegalArgumentException("floor: " + minRelativeWeight + " (expected: 0 to 1)");
        }
        if (maxGap < 0) {
            throw new IllegalArgumentException("gap: " + maxGap + " (expected: >= 0)");
        }
    }

    /** Six tenths of the weight, at most 15 tokens, none under a twentieth of the heaviest, joined over one token. */
    public static EvidenceExtractor standard() {
        return new EvidenceExtractor(0.6, 15, 0.05, 1);
    }

    /** The spans, heaviest first; ties go to the earlier one. No weight, no spans. */
    public List<Evidence> extract(float[] weights, TokenizedText tokens, String text) {
        TokenWeights.check(weights, tokens.size());
        boolean[] taken = wholeWords(selectTokens(weights), tokens);
        List<Evidence> spans = new ArrayList<>();
        int t = 0;
        while (t < taken.length) {
            if (!taken[t]) {
                t++;
                continue;
            }
            int last = t;
            for (int next = t + 1; next < taken.length && next <= last + maxGap + 1; next++) {
                last = taken[next] ? next : last;
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

    /** Half a word, lit, reads as a mistake. */
    private static boolean[] wholeWords(boolean[] taken, TokenizedText tokens) {
        for (int t = 1; t < taken.length; t++) {
            taken[t] |= taken[t - 1] && tokens.continuesWord(t);
        }
        for (int t = taken.length - 1; t > 0; t--) {
            taken[t - 1] |= taken[t] && tokens.continuesWord(t);
        }
        return taken;
    }

    private boolean[] selectTokens(float[] weights) {
        boolean[] taken = new boolean[weights.length];
        double total = 0;
        for (float weight : weights) {
            total += weight;
        }
        int[] order = TokenWeights.descendingByWeight(weights);
        double held = 0;
        for (int rank = 0; rank < Math.min(maxTokens, order.length); rank++) {
            float weight = weights[order[rank]];
            // The mass is reached within rounding: ten weights of 0.1 must not ask for an eleventh.
            boolean enough = held >= mass * total - 1e-6 * total;
            if (weight == 0 || enough || weight < minRelativeWeight * weights[order[0]]) {
                break;
            }
            taken[order[rank]] = true;
            held += weight;
        }
        return taken;
    }
}
