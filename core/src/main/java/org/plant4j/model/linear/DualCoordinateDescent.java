package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Trains linear support vector machines that share their documents: L2 regularization and squared hinge loss, solved in
 * the dual one document at a time, with shrinking (Hsieh et al., ICML 2008, algorithm 3). A constant feature of 1 is
 * appended; its weight, the last one, is the bias.
 */
final class DualCoordinateDescent {

    private final FeatureMatrix documents;
    private final int features;
    private final double[] curvature; // the second derivative of the dual along each coordinate
    private final double diagonal;
    private final double tolerance;
    private final int maxIterations;

    DualCoordinateDescent(FeatureMatrix documents, int features, double c, double tolerance, int maxIterations) {
        this.documents = documents;
        this.features = features;
        this.diagonal = 0.5 / c;
        this.curvature = IntStream.range(0, documents.rows())
                .mapToDouble(document -> documents.squaredNorm(document) + 1 + diagonal)
                .toArray();
        this.tolerance = tolerance;
        this.maxIterations = maxIterations;
    }

    /** Separates the given documents, in ascending order, from all others. */
    double[] solve(int[] positives, Random random) {
        byte[] signs = new byte[documents.rows()];
        Arrays.fill(signs, (byte) -1);
        for (int positive : positives) {
            signs[positive] = 1;
        }
        return new Solver(signs, random).solve();
    }

    private final class Solver {

        private final byte[] signs;
        private final Random random;
        private final double[] weights = new double[features + 1];
        private final double[] alpha = new double[documents.rows()];
        private final int[] order = new int[documents.rows()];
        private int active = documents.rows(); // the first documents of the order; the others are shrunk
        private double shrinkAbove = Double.POSITIVE_INFINITY;

        Solver(byte[] signs, Random random) {
            this.signs = signs;
            this.random = random;
            Arrays.setAll(order, i -> i);
        }

        double[] solve() {
            for (int iteration = 0; iteration < maxIterations; iteration++) {
                boolean converged = pass();
                if (converged && active == documents.rows()) {
                    break;
                }
                if (converged) { // check the shrunk documents too
                    active = documents.rows();
                    shrinkAbove = Double.POSITIVE_INFINITY;
                }
            }
            return weights;
        }

        /** Updates every active document once; returns whether the projected gradients are within the tolerance. */
        private boolean pass() {
            double largest = Double.NEGATIVE_INFINITY;
            double smallest = Double.POSITIVE_INFINITY;
            for (int i = 0; i < active; i++) {
                swap(i, i + random.nextInt(active - i));
                int document = order[i];
                double gradient = gradient(document);
                if (alpha[document] == 0 && gradient > shrinkAbove) {
                    swap(i--, --active);
                    continue;
                }
                double projected = alpha[document] == 0 ? Math.min(gradient, 0) : gradient;
                largest = Math.max(largest, projected);
                smallest = Math.min(smallest, projected);
                if (Math.abs(projected) > 1e-12) {
                    update(document, gradient);
                }
            }
            shrinkAbove = largest <= 0 ? Double.POSITIVE_INFINITY : largest;
            return largest - smallest <= tolerance;
        }

        private double gradient(int document) {
            double margin = documents.dot(document, weights) + weights[features];
            return signs[document] * margin - 1 + diagonal * alpha[document];
        }

        private void update(int document, double gradient) {
            double before = alpha[document];
            alpha[document] = Math.max(before - gradient / curvature[document], 0);
            double change = (alpha[document] - before) * signs[document];
            documents.addTo(weights, document, change);
            weights[features] += change;
        }

        private void swap(int i, int j) {
            int document = order[i];
            order[i] = order[j];
            order[j] = document;
        }
    }
}
