package org.plant4j.cli.code;

/** A text to be coded and what to call it. */
public record InputDocument(String id, String text) {}
