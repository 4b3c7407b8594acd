package org.plant4j.model.linear;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * Sparse weights of a linear model, by token: the labels that have a weight for the token, in ascending order, and
 * their weights. Scoring a document touches only the rows of its tokens.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record SparseWeights(int[][] labels, float[][] weights, float[] bias) {

    /** Weights of one label from the solver: the tokens that have one, in ascending order, and the bias. */
    record Row(int[] tokens, float[] weights, float bias) implements Serializable {

        private static final long serialVersionUID = 1;

        static Row of(double[] dense, double bias, double prune) {
            int[] tokens = new int[dense.length];
            float[] weights = new float[dense.length];
            int size = 0;
            for (int token = 0; token < dense.length; token++) {
                if (Math.abs(dense[token]) > prune) {
                    tokens[size] = token;
                    weights[size++] = (float) dense[token];
                }
            }
            return new Row(Arrays.copyOf(tokens, size), Arrays.copyOf(weights, size), (float) bias);
        }
    }

    /** Transposes rows by label to rows by token. */
    static SparseWeights of(List<Row> rows, int vocabularySize) {
        int[] sizes = new int[vocabularySize];
        for (Row row : rows) {
            for (int token : row.tokens()) {
                sizes[token]++;
            }
        }
        int[][] labels = new int[vocabularySize][];
        float[][] weights = new float[vocabularySize][];
        for (int token = 0; token < vocabularySize; token++) {
            labels[token] = new int[sizes[token]];
            weights[token] = new float[sizes[token]];
        }
        float[] bias = new float[rows.size()];
        Arrays.fill(sizes, 0);
        for (int label = 0; label < rows.size(); label++) {
            Row row = rows.get(label);
            bias[label] = row.bias();
            for (int i = 0; i < row.tokens().length; i++) {
                int token = row.tokens()[i];
                labels[token][sizes[token]] = label;
                weights[token][sizes[token]++] = row.weights()[i];
            }
        }
        return new SparseWeights(labels, weights, bias);
    }

    float weight(int token, int label) {
        int at = Arrays.binarySearch(labels[token], label);
        return at < 0 ? 0 : weights[token][at];
    }

    /** Signed distance of a document to the hyperplane of each label. */
    double[] margins(TfIdf.Vector document) {
        double[] margins = new double[bias.length];
        for (int label = 0; label < margins.length; label++) {
            margins[label] = bias[label];
        }
        for (int i = 0; i < document.tokens().length; i++) {
            int token = document.tokens()[i];
            double value = document.values()[i];
            for (int j = 0; j < labels[token].length; j++) {
                margins[labels[token][j]] += weights[token][j] * value;
            }
        }
        return margins;
    }
}
