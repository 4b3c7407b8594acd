package org.plant4j.rank;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.plant4j.text.Dataset;

/** Which tokens stand in which documents, and which documents bear which labels. */
final class TokenLabelIndex {

    private final int[][] tokens; // by document: distinct, rising
    private final int[] documentsWith; // by token
    private final int[] starts; // by label, into the documents that bear it
    private final int[] bearers;

    private TokenLabelIndex(int[][] tokens, int[] documentsWith, int[] starts, int[] bearers) {
        this.tokens = tokens;
        this.documentsWith = documentsWith;
        this.starts = starts;
        this.bearers = bearers;
    }

    /** Reads each document once; tokens before {@code firstToken} and labels from {@code labels} on are left out. */
    static TokenLabelIndex of(Dataset examples, int firstToken, int vocabulary, int labels) {
        int[][] tokens = new int[examples.size()][];
        int[][] borne = new int[examples.size()][];
        IntStream.range(0, examples.size()).parallel().forEach(document -> {
            tokens[document] = distinct(examples.tokens(document), firstToken, vocabulary);
            borne[document] = examples.labels(document);
        });
        int[] documentsWith = new int[vocabulary];
        int[] starts = new int[labels + 1];
        for (int document = 0; document < tokens.length; document++) {
            for (int token : tokens[document]) {
                documentsWith[token]++;
            }
            for (int label : borne[document]) {
                if (label < labels) {
                    starts[label + 1]++;
                }
            }
        }
        Arrays.parallelPrefix(starts, Math::addExact);
        int[] bearers = new int[starts[labels]];
        int[] ends = starts.clone();
        for (int document = 0; document < tokens.length; document++) {
            for (int label : borne[document]) {
                if (label < labels) {
                    bearers[ends[label]++] = document;
                }
            }
        }
        return new TokenLabelIndex(tokens, documentsWith, starts, bearers);
    }

    private static int[] distinct(int[] tokens, int first, int vocabulary) {
        int[] sorted = tokens.clone();
        Arrays.sort(sorted);
        int size = 0;
        for (int token : sorted) {
            if (token >= vocabulary) {
                throw new IllegalArgumentException("token: " + token + " (expected: < " + vocabulary + ")");
            }
            if (token >= first && (size == 0 || sorted[size - 1] != token)) {
                sorted[size++] = token;
            }
        }
        return Arrays.copyOf(sorted, size);
    }

    int documents() {
        return tokens.length;
    }

    int[] tokens(int document) {
        return tokens[document];
    }

    int documentFrequency(int token) {
        return documentsWith[token];
    }

    /** How many documents bear the label. */
    int labelFrequency(int label) {
        return starts[label + 1] - starts[label];
    }

    /** The i-th of the documents that bear the label. */
    int document(int label, int i) {
        return bearers[starts[label] + i];
    }
}
