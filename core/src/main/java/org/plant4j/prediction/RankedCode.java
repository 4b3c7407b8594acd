package org.plant4j.prediction;

import java.util.Locale;

/** A code and its score, between 0 and 1. */
public record RankedCode(String code, double score) {

    /** The code in upper case, for comparisons: shared tasks write codes in lower case. */
    String normalizedCode() {
        return normalizedCode(code);
    }

    static String normalizedCode(String code) {
        return code.toUpperCase(Locale.ROOT);
    }
}
