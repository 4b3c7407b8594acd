package org.plant4j.model;

/** Chooses the labels of a document that are worth scoring, so that a network need not score all. Safe for several threads. */
public interface Shortlist {

    /** At most {@code count} labels of a document, given as token ids, in ascending order without duplicates. */
    int[] labels(int[] document, int count);
}
