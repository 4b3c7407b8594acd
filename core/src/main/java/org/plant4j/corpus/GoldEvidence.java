package org.plant4j.corpus;

import java.util.List;

/** Where a human saw a code in the text; a discontinuous mention has several spans. */
public record GoldEvidence(String code, List<Span> spans) {

    public GoldEvidence {
        spans = List.copyOf(spans);
    }
}
