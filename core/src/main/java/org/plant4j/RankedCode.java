package org.plant4j;

/** A code and its score, between 0 and 1. */
public record RankedCode(String code, double score) {}
