package org.plant4j.rank;

import java.io.Serializable;

/** The most informative tokens of a label, best first, and their gains. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record TopTokens(int[] tokens, float[] gains) implements Serializable {

    private static final long serialVersionUID = 1;

    public static final TopTokens NONE = new TopTokens(new int[0], new float[0]);
}
