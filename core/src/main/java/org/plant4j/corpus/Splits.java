package org.plant4j.corpus;

/** The three parts of an experiment's corpus; dev and test may be empty. */
public record Splits(Corpus train, Corpus dev, Corpus test) {}
