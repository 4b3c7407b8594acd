package org.plant4j.review.worklist;

/** Somebody who works on encounters; {@code reviewer}: whether they may do second reviews. */
public record Claimant(String name, boolean reviewer) {}
