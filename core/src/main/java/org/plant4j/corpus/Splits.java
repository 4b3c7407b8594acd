package org.plant4j.corpus;

/** The training, development and test documents of an experiment; dev and test may be empty. */
public record Splits(Corpus train, Corpus dev, Corpus test) {}
