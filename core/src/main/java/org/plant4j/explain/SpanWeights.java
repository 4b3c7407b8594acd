package org.plant4j.explain;

import java.util.List;
import org.plant4j.Span;
import org.plant4j.text.TokenizedText;

/** Sums the weights of the tokens in spans of a text. */
final class SpanWeights {

    private final List<Span> tokens;
    private final double[] sums; // sums[t]: the weight of the tokens before t

    SpanWeights(float[] weights, TokenizedText tokens) {
        this.tokens = tokens.spans();
        sums = new double[weights.length + 1];
        for (int t = 0; t < weights.length; t++) {
            sums[t + 1] = sums[t] + weights[t];
        }
    }

    double total() {
        return sums[sums.length - 1];
    }

    /** The weight of the tokens that start inside a span. */
    double weight(Span span) {
        return sums[firstFrom(span.end())] - sums[firstFrom(span.start())];
    }

    /** The first token that starts at or after a position. */
    private int firstFrom(int position) {
        int low = 0;
        int high = tokens.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (tokens.get(middle).start() < position) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
