package org.plant4j.text;

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
}
