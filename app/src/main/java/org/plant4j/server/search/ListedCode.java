package org.plant4j.server.search;

/**
 * A code with its description.
 *
 * @param inModel whether the model can suggest the code
 * @param billable whether the code can be assigned; false for category headings
 */
public record ListedCode(String code, String description, boolean inModel, boolean billable) {}
