package org.plant4j.corpus;

import java.util.List;

/** The spans of a document that a human annotated for a code; a discontinuous mention has several. */
public record GoldEvidence(String code, List<Span> spans) {

    public GoldEvidence {
        spans = List.copyOf(spans);
    }
}
