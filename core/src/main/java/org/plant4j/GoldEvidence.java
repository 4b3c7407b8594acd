package org.plant4j;

import java.io.Serializable;
import java.util.List;

/**
 * The spans of a document that a human annotated for a code; a discontinuous mention has several.
 *
 * @param code the code
 * @param spans the spans
 * @serial exclude
 */
@SuppressWarnings("InvalidBlockTag") // the tag keeps the fields of a record out of the documented serialized form
public record GoldEvidence(String code, List<Span> spans) implements Serializable {

    private static final long serialVersionUID = 1;

    /**
     * Copies the spans.
     *
     * @param code the code
     * @param spans the spans
     */
    public GoldEvidence {
        spans = List.copyOf(spans);
    }
}
