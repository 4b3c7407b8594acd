package org.plant4j.prediction;

import org.plant4j.corpus.Span;

/** A stretch of a text and the share of a code's attention that it holds. */
public record WeightedSpan(Span span, double weight) {

    public WeightedSpan {
        if (!(weight >= 0)) {
            throw new IllegalArgumentException("weight: " + weight + " (expected: >= 0)");
        }
    }
}
