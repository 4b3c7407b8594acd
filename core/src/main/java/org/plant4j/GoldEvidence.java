package org.plant4j;

import java.io.Serializable;
import java.util.List;

/** The spans of a document that a human annotated for a code; a discontinuous mention has several. */
public record GoldEvidence(String code, List<Span> spans) implements Serializable {

    private static final long serialVersionUID = 1;

    public GoldEvidence {
        spans = List.copyOf(spans);
    }
}
