package org.plant4j.rank;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;
import org.plant4j.text.DocumentCounts;
import org.plant4j.text.DocumentFrequencies;

/**
 * Finds the {@code topK} tokens with the highest mutual information per label, from the presence of both in training
 * documents. Only positively associated tokens count.
 *
 * <p>The corpus is read once, into the distinct tokens of each document. Each label then counts over its own documents,
 * so that pairs that never co-occur cost nothing. The work runs in the caller's thread pool; the result does not depend
 * on the number of threads.
 *
 * <p>Memory in bytes: 4 per distinct token per document, 8 per label per document, 16 V per thread, and 8 per stored
 * pair, at most {@code topK} per label. 50,000 documents with 500 distinct tokens and 14 labels each take 0.1 GiB, the
 * pairs of 8,900 labels with {@code topK} 1,000 another 0.07 GiB.
 */
public record MutualInformation(Kind kind, int topK) implements Serializable {

    private static final long serialVersionUID = 1;

    /** The measure of association. */
    public enum Kind {
        /** Mutual information in nats: Σ p log(p / (p p)) over presence and absence of token and label. */
        GAIN,
        /**
         * Mutual information divided by the joint entropy, between 0 and 1: does not favour frequent labels and tokens.
         */
        NORMALIZED;

        double of(ContingencyTable counts) {
            return this == GAIN ? counts.mutualInformation() : counts.normalizedMutualInformation();
        }
    }

    /** Labels are distributed over this many tasks in turn, since frequent labels come first. */
    private static final int TASKS = 64;

    public MutualInformation {
        Arguments.atLeast(1, "topK", topK);
    }

    /** The relevance of tokens for labels 0 to {@code labels - 1}; label ids beyond are ignored. */
    public Relevance compute(Dataset documents, int vocabularySize, int labels) {
        TokenLabelIndex index = TokenLabelIndex.of(documents, vocabularySize, labels);
        DocumentFrequencies all =
                index.countAll(new DocumentCounts.Counter(vocabularySize)).toFrequencies(vocabularySize);
        TopTokens[] top = new TopTokens[labels];
        IntStream.range(0, Math.min(TASKS, labels)).parallel().forEach(task -> {
            DocumentCounts.Counter counter = new DocumentCounts.Counter(vocabularySize);
            for (int label = task; label < labels; label += TASKS) {
                top[label] = topTokens(index.count(label, counter), all);
            }
        });
        return Relevance.of(Arrays.asList(top));
    }

    /** The tokens of a label, from the counts of its documents and of all documents. */
    public TopTokens topTokens(DocumentCounts label, DocumentFrequencies all) {
        long[] keys = new long[label.tokens().length];
        int size = 0;
        for (int i = 0; i < keys.length; i++) {
            int token = label.tokens()[i];
            ContingencyTable cells =
                    new ContingencyTable(label.counts()[i], all.byToken()[token], label.documents(), all.documents());
            if (cells.isPositivelyAssociated()) {
                keys[size++] = key((float) kind.of(cells), token);
            }
        }
        Arrays.sort(keys, 0, size);
        int[] tokens = new int[Math.min(topK, size)];
        float[] gains = new float[tokens.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = (int) keys[i];
            gains[i] = Float.intBitsToFloat((int) ~(keys[i] >> 32));
        }
        return new TopTokens(tokens, gains);
    }

    /** A sort key: by descending gain in the upper half, by ascending token in the lower. */
    private static long key(float gain, int token) {
        return (long) ~Float.floatToIntBits(gain) << 32 | token; // the bits of floats >= 0 sort like the floats
    }
}
