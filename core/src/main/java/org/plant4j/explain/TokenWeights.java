package org.plant4j.explain;

import java.util.List;
import org.plant4j.Span;
import org.plant4j.support.Arguments;
import org.plant4j.text.TokenizedText;

/** Operations on token weights that the classes of this package share. */
final class TokenWeights {

    private TokenWeights() {}

    static void check(float[] weights, int tokens) {
        Arguments.check(weights.length == tokens, "weights", weights.length, "one per token, " + tokens);
        for (float weight : weights) {
            if (!(weight >= 0 && weight <= Float.MAX_VALUE)) { // NaN included
                throw Arguments.invalid("weight", weight, "finite and >= 0");
            }
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
