package org.plant4j.rank;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;
import org.plant4j.text.Dataset;

/** The distinct tokens of each document and the documents of each label. */
final class TokenLabelIndex {

    private final int[][] tokens; // by document: distinct, ascending
    private final int[] documentFrequencies; // by token
    private final int[] starts; // by label, into labelDocuments
    private final int[] labelDocuments;

    private TokenLabelIndex(int[][] tokens, int[] documentFrequencies, int[] starts, int[] labelDocuments) {
        this.tokens = tokens;
        this.documentFrequencies = documentFrequencies;
        this.starts = starts;
        this.labelDocuments = labelDocuments;
    }

    /** Reads each document once; skips tokens before {@code firstToken} and labels from {@code labels} on. */
    static TokenLabelIndex of(Dataset dataset, int firstToken, int vocabularySize, int labels) {
        int[][] tokens = new int[dataset.size()][];
        int[][] labelsOf = new int[dataset.size()][];
        IntStream.range(0, dataset.size()).parallel().forEach(document -> {
            tokens[document] = distinct(dataset.tokens(document), firstToken, vocabularySize);
            labelsOf[document] = dataset.labels(document);
        });
        int[] documentFrequencies = new int[vocabularySize];
        int[] starts = new int[labels + 1];
        for (int document = 0; document < tokens.length; document++) {
            for (int token : tokens[document]) {
                documentFrequencies[token]++;
            }
            for (int label : labelsOf[document]) {
                if (label < labels) {
                    starts[label + 1]++;
                }
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        int[] labelDocuments = new int[starts[labels]];
        int[] ends = starts.clone();
        for (int document = 0; document < tokens.length; document++) {
            for (int label : labelsOf[document]) {
                if (label < labels) {
                    labelDocuments[ends[label]++] = document;
                }
            }
        }
        return new TokenLabelIndex(tokens, documentFrequencies, starts, labelDocuments);
    }

    private static int[] distinct(int[] tokens, int first, int vocabularySize) {
        int[] sorted = tokens.clone();
        Arrays.sort(sorted);
        int size = 0;
        for (int token : sorted) {
            Arguments.check(token < vocabularySize, "token", token, "< " + vocabularySize);
            if (token >= first && (size == 0 || sorted[size - 1] != token)) {
                sorted[size++] = token;
            }
        }
        return Arrays.copyOf(sorted, size);
    }

    /** Number of documents. */
    int documents() {
        return tokens.length;
    }

    /** Distinct tokens in ascending order. */
    int[] tokens(int document) {
        return tokens[document];
    }

    /** Number of documents with the token. */
    int documentFrequency(int token) {
        return documentFrequencies[token];
    }

    /** Number of documents with the label. */
    int labelFrequency(int label) {
        return starts[label + 1] - starts[label];
    }

    /** The i-th document with the label. */
    int document(int label, int i) {
        return labelDocuments[starts[label] + i];
    }
}
