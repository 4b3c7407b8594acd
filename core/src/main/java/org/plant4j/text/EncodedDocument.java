package org.plant4j.text;

import java.io.Serializable;
import java.util.List;

/** A document as token and label ids, as {@link TokenStore} keeps it; labels are in ascending order. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record EncodedDocument(String id, int[] tokens, int[] labels, List<TokenEvidence> evidence)
        implements Serializable {

    private static final long serialVersionUID = 1;
}
