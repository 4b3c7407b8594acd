package org.plant4j.explain;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.corpus.Span;
import org.plant4j.text.TokenizedText;

/** What the measures of this package share: the order of tokens by weight, and which tokens some spans touch. */
final class TokenWeights {

    private TokenWeights() {}

    /** Token indices, the heaviest first; ties go to the earlier token. */
    static int[] descendingByWeight(float[] weights) {
        return IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -weights[i]).thenComparing(i -> i))
                .mapToInt(i -> i)
                .toArray();
    }

    static void check(float[] weights, int tokens) {
        if (weights.length != tokens) {
            throw new IllegalArgumentException(
                    "weights: " + weights.length + " (expected: one a token, " + tokens + ")");
        }
        for (float weight : weights) {
            if (!(weight >= 0 && weight <= Float.MAX_VALUE)) {
                throw new IllegalArgumentException("weight: " + weight + " (expected: finite and >= 0)");
            }
        }
    }

    /** True for every token that shares at least one character with a span. */
    static boolean[] overlapping(TokenizedText tokens, List<Span> spans) {
        boolean[] touched = new boolean[tokens.size()];
        for (int t = 0; t < touched.length; t++) {
            Span token = tokens.spans().get(t);
            touched[t] = spans.stream().anyMatch(token::overlaps);
        }
        return touched;
    }
}
