package org.plant4j;

/**
 * A code and its score, between 0 and 1.
 *
 * @param code the code
 * @param score the score
 */
public record RankedCode(String code, double score) {}
