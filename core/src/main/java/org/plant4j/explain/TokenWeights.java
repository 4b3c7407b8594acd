package org.plant4j.explain;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.Span;
import org.plant4j.support.Arguments;
import org.plant4j.text.TokenizedText;

/** Operations on token weights that the classes of this package share. */
final class TokenWeights {

    private TokenWeights() {}

    /** Token indices by descending weight, ties by position. */
    static int[] descendingByWeight(float[] weights) {
        return IntStream.range(0, weights.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer i) -> -weights[i]).thenComparing(i -> i))
                .mapToInt(i -> i)
                .toArray();
    }

    static void check(float[] weights, int tokens) {
        Arguments.check(weights.length == tokens, "weights", weights.length, "one per token, " + tokens);
        for (float weight : weights) {
            Arguments.check(weight >= 0 && weight <= Float.MAX_VALUE, "weight", weight, "finite and >= 0");
        }
    }

    /** True for every token that shares at least one character with any of the spans. */
    static boolean[] overlapping(TokenizedText tokens, List<Span> spans) {
        boolean[] overlapping = new boolean[tokens.size()];
        for (int t = 0; t < overlapping.length; t++) {
            Span token = tokens.spans().get(t);
            overlapping[t] = spans.stream().anyMatch(token::overlaps);
        }
        return overlapping;
    }
}
