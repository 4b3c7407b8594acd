package org.plant4j.text;

/** Documents as numbers, by position: what a model learns from. Safe for use by several threads. */
public interface Dataset {

    int size();

    /** How many tokens the document has. */
    default int length(int document) {
        return tokens(document).length;
    }

    /** The document's token ids of the run's vocabulary. */
    int[] tokens(int document);

    /** The document's label ids in rising order. */
    int[] labels(int document);
}
