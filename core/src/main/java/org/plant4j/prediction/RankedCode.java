package org.plant4j.prediction;

import java.util.Locale;

/** A code of a text and its score, between 0 and 1. */
public record RankedCode(String code, double score) {

    /** What the code is known by where its case does not matter: shared tasks write codes in lower case. */
    String normalizedCode() {
        return normalizedCode(code);
    }

    static String normalizedCode(String code) {
        return code.toUpperCase(Locale.ROOT);
    }
}
