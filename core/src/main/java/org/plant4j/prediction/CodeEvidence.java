package org.plant4j.prediction;

import java.util.List;

/** One suggested code of a note: what it means, how probable it is, and the stretches that speak for it. */
public record CodeEvidence(String code, String description, double probability, List<WeightedSpan> spans) {

    public CodeEvidence {
        spans = List.copyOf(spans);
    }
}
