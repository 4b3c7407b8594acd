package org.plant4j.model.linear;

import java.util.Arrays;

/**
 * The weights of a linear model without those too small to matter, by word: which labels have a weight for the word, in
 * rising order, and the weights. A document touches the rows of its own words only.
 */
@SuppressWarnings("ArrayRecordComponent")
public // never compared
record SparseWeights(int[][] labels, float[][] weights, float[] bias) {

    /** One label's weights as they leave the solver: the words that have one, in rising order, and the bias. */
    public record Row(int[] tokens, float[] weights, float bias) {

        static Row of(double[] dense, double bias, double prune) {
            int[] words = new int[dense.length];
            float[] weights = new float[dense.length];
            int size = 0;
            for (int word = 0; word < dense.length; word++) {
                if (Math.abs(dense[word]) > prune) {
                    words[size] = word;
                    weights[size++] = (float) dense[word];
                }
            }
            return new Row(Arrays.copyOf(words, size), Arrays.copyOf(weights, size), (float) bias);
        }
    }

    /** Turns rows by label into rows by word. */
    static SparseWeights of(Row[] rows, int vocabularySize) {
        int[] sizes = new int[vocabularySize];
        for (Row row : rows) {
            for (int word : row.tokens()) {
                sizes[word]++;
            }
        }
        int[][] labels = new int[vocabularySize][];
        float[][] weights = new float[vocabularySize][];
        for (int word = 0; word < vocabularySize; word++) {
            labels[word] = new int[sizes[word]];
            weights[word] = new float[sizes[word]];
        }
        float[] bias = new float[rows.length];
        Arrays.fill(sizes, 0);
        for (int label = 0; label < rows.length; label++) {
            Row row = rows[label];
            bias[label] = row.bias();
            for (int i = 0; i < row.tokens().length; i++) {
                int word = row.tokens()[i];
                labels[word][sizes[word]] = label;
                weights[word][sizes[word]++] = row.weights()[i];
            }
        }
        return new SparseWeights(labels, weights, bias);
    }

    float weight(int word, int label) {
        int at = Arrays.binarySearch(labels[word], label);
        return at < 0 ? 0 : weights[word][at];
    }

    /** The distance of a document from each label's hyperplane, positive on the label's side. */
    double[] margins(TfIdf.Vector document) {
        double[] margins = new double[bias.length];
        for (int label = 0; label < margins.length; label++) {
            margins[label] = bias[label];
        }
        for (int i = 0; i < document.tokens().length; i++) {
            int word = document.tokens()[i];
            double value = document.values()[i];
            for (int j = 0; j < labels[word].length; j++) {
                margins[labels[word][j]] += weights[word][j] * value;
            }
        }
        return margins;
    }
}
