package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Sparse weights of the classifiers of one tree node, by token: the children from {@code start[i]} to {@code start[i + 1]}
 * have a weight for {@code tokens[i]}. Scoring a document touches only its own tokens.
 *
 * @param tokens the tokens with a weight, in ascending order
 * @param children in ascending order for each token
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NodeWeights(int[] tokens, int[] start, int[] children, float[] weights, float[] bias) {

    /** Transposes rows by child to rows by token; {@code features} is the token of each feature of the rows. */
    static NodeWeights of(SparseWeights.Row[] rows, int[] features) {
        int[] sizes = new int[features.length];
        float[] bias = new float[rows.length];
        for (int child = 0; child < rows.length; child++) {
            bias[child] = rows[child].bias();
            for (int feature : rows[child].tokens()) {
                sizes[feature]++;
            }
        }
        int[] used = IntStream.range(0, features.length)
                .filter(feature -> sizes[feature] > 0)
                .toArray();
        int[] start = new int[used.length + 1];
        int[] next = new int[features.length];
        for (int i = 0; i < used.length; i++) {
            next[used[i]] = start[i];
            start[i + 1] = start[i] + sizes[used[i]];
        }
        int[] children = new int[start[used.length]];
        float[] weights = new float[children.length];
        for (int child = 0; child < rows.length; child++) {
            for (int i = 0; i < rows[child].tokens().length; i++) {
                int at = next[rows[child].tokens()[i]]++;
                children[at] = child;
                weights[at] = rows[child].weights()[i];
            }
        }
        return new NodeWeights(
                Arrays.stream(used).map(feature -> features[feature]).toArray(), start, children, weights, bias);
    }

    /** Signed distance of a document to the hyperplane of each child. */
    double[] margins(SparseVector document) {
        double[] margins = new double[bias.length];
        for (int child = 0; child < margins.length; child++) {
            margins[child] = bias[child];
        }
        for (int i = 0; i < document.indices().length; i++) {
            int row = Arrays.binarySearch(tokens, document.indices()[i]);
            for (int j = row < 0 ? 0 : start[row]; row >= 0 && j < start[row + 1]; j++) {
                margins[children[j]] += weights[j] * document.values()[i];
            }
        }
        return margins;
    }

    float weight(int token, int child) {
        int row = Arrays.binarySearch(tokens, token);
        int at = row < 0 ? -1 : Arrays.binarySearch(children, start[row], start[row + 1], child);
        return at < 0 ? 0 : weights[at];
    }
}
