package org.plant4j.corpus;

import java.util.Comparator;

/**
 * An order of codes that does not depend on the alphabet, for codes with equally many documents. In a code set, neighbours in the
 * alphabet are related: a choice by code would keep or drop whole chapters.
 */
public final class TieOrder {

    private static final int MULTIPLIER = 0x9E3779B9; // of Fibonacci hashing

    private TieOrder() {}

    /** Orders codes by a hash. Codes with the same hash are in the order of the alphabet. */
    public static Comparator<String> comparator() {
        return Comparator.comparingInt((String code) -> mix(code.hashCode())).thenComparing(Comparator.naturalOrder());
    }

    private static int mix(int hash) {
        int mixed = hash * MULTIPLIER;
        mixed = (mixed ^ mixed >>> 15) * MULTIPLIER;
        return mixed ^ mixed >>> 13;
    }
}
