package org.plant4j.app;

import org.plant4j.nn.Batches;

/** What a benchmark's documents are like: so many a batch, of so many tokens, over so many labels and words. */
record BenchShape(int documents, int tokens, int labels, int words) {

    BenchShape {
        BenchOptions.atLeast(1, "--documents", documents);
        BenchOptions.atLeast(1, "--tokens", tokens);
        BenchOptions.atLeast(1, "--labels", labels);
        BenchOptions.atLeast(3, "--words", words); // two of them stand for padding and unknown words
    }

    MadeDocuments made(int count) {
        return MadeDocuments.of(count, tokens, words, labels);
    }

    /** Of so many steps, each of a whole batch. */
    Batches batches(int steps) {
        return new Batches(made(documents * steps), documents, documents * tokens, 1);
    }
}
