package org.plant4j.app.desk;

/** A code as the search lists it: whether the model can suggest it, and whether it may be assigned. */
record BookCode(String code, String description, boolean known, boolean billable) {}
