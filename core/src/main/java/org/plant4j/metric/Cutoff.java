package org.plant4j.metric;

/** The k of "at k". */
final class Cutoff {

    private Cutoff() {}

    static void check(int k) {
        if (k < 1) {
            throw new IllegalArgumentException("k: " + k + " (expected: >= 1)");
        }
    }
}
