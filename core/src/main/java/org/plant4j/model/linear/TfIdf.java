package org.plant4j.model.linear;

import java.util.Arrays;
import org.plant4j.text.Dataset;

/**
 * Documents as unit vectors of word counts weighted by rarity: tf · idf with idf = ln((1 + n) / (1 + df)) + 1, where n
 * counts training documents and df those with the word. With {@code sublinear}, tf is 1 + ln(count). Padding and unknown
 * words are no features.
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record TfIdf(double[] idf, boolean sublinear) {

    private static final int FIRST_TOKEN = 2;

    /** A document's distinct words in rising order, how often each occurs, and its value. */
    public record Vector(int[] tokens, int[] counts, double[] values) {}

    static TfIdf fit(Dataset documents, int vocabularySize, boolean sublinear) {
        int[] documentFrequencies = new int[vocabularySize];
        for (int document = 0; document < documents.size(); document++) {
            for (int word : countTokens(documents.tokens(document)).tokens()) {
                documentFrequencies[word]++;
            }
        }
        double[] idf = new double[vocabularySize];
        for (int word = FIRST_TOKEN; word < vocabularySize; word++) {
            idf[word] = Math.log((1.0 + documents.size()) / (1.0 + documentFrequencies[word])) + 1;
        }
        return new TfIdf(idf, sublinear);
    }

    Vector vector(int[] tokens) {
        Vector vector = countTokens(tokens);
        double[] values = vector.values();
        double squares = 0;
        for (int i = 0; i < values.length; i++) {
            int count = vector.counts()[i];
            values[i] = (sublinear ? 1 + Math.log(count) : count) * idf[vector.tokens()[i]];
            squares += values[i] * values[i];
        }
        double norm = Math.sqrt(squares);
        for (int i = 0; i < values.length; i++) {
            values[i] /= norm;
        }
        return vector;
    }

    private static Vector countTokens(int[] tokens) {
        int[] sorted = tokens.clone();
        Arrays.sort(sorted);
        int[] words = new int[sorted.length];
        int[] counts = new int[sorted.length];
        int size = 0;
        for (int token : sorted) {
            if (token < FIRST_TOKEN) {
                continue;
            }
            if (size == 0 || words[size - 1] != token) {
                words[size++] = token;
            }
            counts[size - 1]++;
        }
        return new Vector(Arrays.copyOf(words, size), Arrays.copyOf(counts, size), new double[size]);
    }
}
