package org.plant4j.text;

import java.io.Serializable;
import java.util.Arrays;
import org.plant4j.support.Arguments;

/**
 * In how many documents of a group each token occurs: tokens in ascending order, without those that occur in no document.
 * The counts of disjoint groups add up to those of their union, in any order.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DocumentCounts(int documents, int[] tokens, int[] counts) implements Serializable {

    private static final long serialVersionUID = 1;

    public DocumentCounts plus(DocumentCounts other) {
        int[] sumTokens = new int[tokens.length + other.tokens.length];
        int[] sumCounts = new int[sumTokens.length];
        int size = 0;
        for (int i = 0, j = 0; i < tokens.length || j < other.tokens.length; size++) {
            int token = Math.min(tokenAt(i), other.tokenAt(j));
            sumTokens[size] = token;
            if (tokenAt(i) == token) {
                sumCounts[size] += counts[i++];
            }
            if (other.tokenAt(j) == token) {
                sumCounts[size] += other.counts[j++];
            }
        }
        return new DocumentCounts(
                Math.addExact(documents, other.documents),
                Arrays.copyOf(sumTokens, size),
                Arrays.copyOf(sumCounts, size));
    }

    private int tokenAt(int i) {
        return i < tokens.length ? tokens[i] : Integer.MAX_VALUE;
    }

    /** The counts as an array by token. */
    public DocumentFrequencies toFrequencies(int vocabularySize) {
        int[] dense = new int[vocabularySize];
        for (int i = 0; i < tokens.length; i++) {
            dense[tokens[i]] = counts[i];
        }
        return new DocumentFrequencies(documents, dense);
    }

    /** The distinct tokens of a document in ascending order, without padding and unknown tokens. */
    public static int[] distinctTokens(int[] tokens, int vocabularySize) {
        int[] sorted = tokens.clone();
        Arrays.sort(sorted);
        int size = 0;
        for (int token : sorted) {
            Arguments.check(token < vocabularySize, "token", token, "< " + vocabularySize);
            if (token >= Vocabulary.FIRST_TOKEN && (size == 0 || sorted[size - 1] != token)) {
                sorted[size++] = token;
            }
        }
        return Arrays.copyOf(sorted, size);
    }

    /** Counts the documents of one group after another. */
    public static final class Counter {

        private final int[] counts; // by token
        private final int[] tokens; // those with a count
        private int size;
        private int documents;

        public Counter(int vocabularySize) {
            counts = new int[vocabularySize];
            tokens = new int[vocabularySize];
        }

        /** Adds a document, given by its distinct tokens. */
        public void add(int[] distinctTokens) {
            for (int token : distinctTokens) {
                if (counts[token]++ == 0) {
                    tokens[size++] = token;
                }
            }
            documents++;
        }

        /** The counts of the documents added since the last call. */
        public DocumentCounts take() {
            int[] taken = Arrays.copyOf(tokens, size);
            Arrays.sort(taken);
            int[] takenCounts = new int[size];
            for (int i = 0; i < size; i++) {
                takenCounts[i] = counts[taken[i]];
                counts[taken[i]] = 0;
            }
            DocumentCounts result = new DocumentCounts(documents, taken, takenCounts);
            size = 0;
            documents = 0;
            return result;
        }
    }
}
