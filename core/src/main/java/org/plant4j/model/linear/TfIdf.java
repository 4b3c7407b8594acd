package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import org.plant4j.text.Dataset;
import org.plant4j.text.DocumentFrequencies;
import org.plant4j.text.Vocabulary;

/**
 * TF-IDF features of documents, normalised to unit length: tf · idf with idf = ln((1 + n) / (1 + df)) + 1, where n is
 * the number of training documents and df that of those with the token. With {@code sublinear}, tf is 1 + ln(count).
 * Padding and unknown tokens are left out. scikit-learn's {@code TfidfVectorizer} computes the same.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TfIdf(double[] idf, boolean sublinear) {

    /** The distinct tokens of a document in ascending order, with their counts and TF-IDF values. */
    record Vector(int[] tokens, int[] counts, double[] values) {

        /**
         * What each token of the document adds to a linear model with the given weights, if positive: the contribution of its
         * feature divided equally between its occurrences. Scaled to the sum 1, or all 0.
         */
        float[] contributions(int[] document, IntToDoubleFunction weightOf) {
            double[] perOccurrence = new double[tokens.length];
            double total = 0;
            for (int i = 0; i < tokens.length; i++) {
                double contribution = Math.max(0, weightOf.applyAsDouble(tokens[i]) * values[i]);
                perOccurrence[i] = contribution / counts[i];
                total += contribution;
            }
            float[] contributions = new float[document.length];
            for (int position = 0; position < document.length && total > 0; position++) {
                int at = Arrays.binarySearch(tokens, document[position]);
                contributions[position] = at < 0 ? 0 : (float) (perOccurrence[at] / total);
            }
            return contributions;
        }
    }

    static TfIdf fit(Dataset documents, int vocabularySize, boolean sublinear) {
        DocumentFrequencies frequencies = DocumentFrequencies.of(documents, vocabularySize);
        double[] idf = new double[vocabularySize];
        for (int token = Vocabulary.FIRST_TOKEN; token < vocabularySize; token++) {
            idf[token] = Math.log(
                            (1.0 + frequencies.documents()) / (1.0 + frequencies.byToken()[token]))
                    + 1;
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
        int[] distinct = new int[sorted.length];
        int[] counts = new int[sorted.length];
        int size = 0;
        for (int token : sorted) {
            if (token < Vocabulary.FIRST_TOKEN) {
                continue;
            }
            if (size == 0 || distinct[size - 1] != token) {
                distinct[size++] = token;
            }
            counts[size - 1]++;
        }
        return new Vector(Arrays.copyOf(distinct, size), Arrays.copyOf(counts, size), new double[size]);
    }
}
