package org.plant4j.cli.bench;

import org.plant4j.tensor.Batches;

/** What a benchmark's documents are like: so many a batch, of so many tokens, over so many labels and words. */
public record BenchShape(int documents, int tokens, int labels, int words) {

    public BenchShape {
        BenchOptions.atLeast(1, "--documents", documents);
        BenchOptions.atLeast(1, "--tokens", tokens);
        BenchOptions.atLeast(1, "--labels", labels);
        BenchOptions.atLeast(3, "--words", words); // two of them stand for padding and unknown words
    }

    SyntheticDocuments syntheticDocuments(int count) {
        return SyntheticDocuments.of(count, tokens, words, labels);
    }

    /** Of so many steps, each of a whole batch. */
    Batches batches(int steps) {
        return new Batches(syntheticDocuments(documents * steps), documents, documents * tokens, 1);
    }
}
