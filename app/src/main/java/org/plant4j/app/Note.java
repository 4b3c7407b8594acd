package org.plant4j.app;

/** A text to be coded and what to call it. */
record Note(String id, String text) {}
