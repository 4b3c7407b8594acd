package org.plant4j.server.search;

/** A code as the search lists it: whether the model can suggest it, and whether it may be assigned. */
public record ListedCode(String code, String description, boolean known, boolean billable) {}
