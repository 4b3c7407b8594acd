package org.plant4j.model.output;

/**
 * Attention views that all labels share.
 *
 * @param attention one distribution over the document's tokens per view, (Q, T)
 * @param chosen the view that each explained label uses
 */
@SuppressWarnings("ArrayRecordComponent") // created per request, never compared
public record SharedViews(float[][] attention, int[] chosen) {}
