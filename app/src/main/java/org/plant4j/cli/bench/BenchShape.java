package org.plant4j.cli.bench;

import org.plant4j.cli.option.OptionCheck;
import org.plant4j.tensor.Batches;

/** The shape of a benchmark's batches: documents per batch, tokens per document, labels, vocabulary size. */
record BenchShape(int documents, int tokens, int labels, int vocabulary) {

    BenchShape {
        OptionCheck.atLeast(1, "--batch-size", documents);
        OptionCheck.atLeast(1, "--tokens", tokens);
        OptionCheck.atLeast(1, "--labels", labels);
        OptionCheck.atLeast(3, "--vocabulary", vocabulary); // two entries are padding and the unknown token
    }

    SyntheticDocuments syntheticDocuments(int count) {
        return SyntheticDocuments.of(count, tokens, vocabulary, labels);
    }

    /** Full batches for a number of steps. */
    Batches batches(int steps) {
        return new Batches(syntheticDocuments(documents * steps), documents, documents * tokens, 1);
    }

    @Override
    public String toString() {
        return documents + " documents x " + tokens + " tokens, " + labels + " labels, vocabulary " + vocabulary;
    }
}
