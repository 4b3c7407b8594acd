package org.plant4j.text;

import java.util.List;

/** Documents as token and label ids, accessed by index. Implementations are thread-safe. */
public interface Dataset {

    int size();

    /** The number of tokens of a document. */
    default int length(int document) {
        return tokens(document).length;
    }

    /** The token ids of a document. */
    int[] tokens(int document);

    /** The label ids of a document, in ascending order. */
    int[] labels(int document);

    /** The gold evidence of a document; empty if it has none or the dataset does not keep it. */
    default List<TokenEvidence> evidence(int document) {
        return List.of();
    }
}
