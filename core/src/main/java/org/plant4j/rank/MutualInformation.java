package org.plant4j.rank;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;
import org.plant4j.text.Vocabulary;

/**
 * Finds the {@code topK} tokens with the highest mutual information per label, from the presence of both in training
 * documents. Only positively associated tokens count.
 *
 * <p>The corpus is read once, into the distinct tokens of each document. Each label then counts over its own documents,
 * so that pairs that never co-occur cost nothing. The work runs in the caller's thread pool; the result does not depend
 * on the number of threads.
 *
 * <p>Memory in bytes: 4 per distinct token per document, 8 per label per document, 12 V per thread, and 8 per stored
 * pair, at most {@code topK} per label. 50,000 documents with 500 distinct tokens and 14 labels each take 0.1 GiB, the
 * pairs of 8,900 labels with {@code topK} 1,000 another 0.07 GiB.
 */
public record MutualInformation(Kind kind, int topK) {

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

    private static final int FIRST_TOKEN = Vocabulary.UNKNOWN + 1; // skips padding and unknown

    /** Labels are distributed over this many tasks in turn, since frequent labels come first. */
    private static final int TASKS = 64;

    public MutualInformation {
        Arguments.atLeast(1, "topK", topK);
    }

    /** The relevance of tokens for labels 0 to {@code labels - 1}; label ids beyond are ignored. */
    public Relevance compute(Dataset documents, int vocabularySize, int labels) {
        TokenLabelIndex index = TokenLabelIndex.of(documents, FIRST_TOKEN, vocabularySize, labels);
        int[][] tokens = new int[labels][];
        float[][] gains = new float[labels][];
        IntStream.range(0, Math.min(TASKS, labels)).parallel().forEach(task -> {
            int[] counts = new int[vocabularySize];
            long[] keys = new long[vocabularySize];
            for (int label = task; label < labels; label += TASKS) {
                int kept = Math.min(topK, rank(index, label, counts, keys));
                tokens[label] = new int[kept];
                gains[label] = new float[kept];
                for (int i = 0; i < kept; i++) {
                    tokens[label][i] = (int) keys[i];
                    gains[label][i] = Float.intBitsToFloat((int) ~(keys[i] >> 32));
                }
            }
        });
        return new Relevance(tokens, gains);
    }

    /** Writes the keys of the label's positively associated tokens, best first, and returns their number. */
    private int rank(TokenLabelIndex index, int label, int[] counts, long[] keys) {
        int size = 0;
        for (int i = 0; i < index.labelFrequency(label); i++) {
            for (int token : index.tokens(index.document(label, i))) {
                counts[token]++;
            }
        }
        for (int token = FIRST_TOKEN; token < counts.length; token++) {
            if (counts[token] > 0) {
                ContingencyTable cells = new ContingencyTable(
                        counts[token], index.documentFrequency(token), index.labelFrequency(label), index.documents());
                if (cells.isPositivelyAssociated()) {
                    keys[size++] = key((float) kind.of(cells), token);
                }
                counts[token] = 0;
            }
        }
        Arrays.sort(keys, 0, size);
        return size;
    }

    /** A sort key: by descending gain in the upper half, by ascending token in the lower. */
    private static long key(float gain, int token) {
        return (long) ~Float.floatToIntBits(gain) << 32 | token; // the bits of floats >= 0 sort like the floats
    }
}
