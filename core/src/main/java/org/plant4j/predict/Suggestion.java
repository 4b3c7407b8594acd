package org.plant4j.predict;

import java.util.List;
import org.plant4j.explain.WeightedSpan;

/** A code for a text: what it means, its score, whether it passes the run's threshold, and the words that support it. */
public record Suggestion(
        String code, String description, double score, boolean predicted, List<WeightedSpan> evidence) {

    public Suggestion {
        evidence = List.copyOf(evidence);
    }
}
