package org.plant4j.model;

/**
 * The views of a document that labels share: the weight of each token in each view, (Q, T), every row a distribution; and
 * the view that each asked label chose.
 */
@SuppressWarnings("ArrayRecordComponent") // made for one request, never compared
public record SharedViews(float[][] attention, int[] chosen) {}
