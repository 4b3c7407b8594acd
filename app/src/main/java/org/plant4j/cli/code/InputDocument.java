package org.plant4j.cli.code;

/** A document to code and its id. */
public record InputDocument(String id, String text) {}
