package org.plant4j.predict;

/** A code of a text and its score, between 0 and 1. */
public record RankedCode(String code, double score) {}
