package org.plant4j.model.linear;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * Logistic regression on features of a (document, label) pair and on all products of two of them: the probability that the
 * label is gold is the sigmoid of bias + Σ w_i z_i + Σ w_ij z_i z_j with standardized features z. All labels share the weights,
 * so that they are learned from all labels together.
 *
 * <p>The loss is binary cross-entropy, summed over pairs, plus half the squared norm of the weights. It is convex, and Newton's
 * method finds its minimum. Of very many pairs the Hessian matrix is estimated from a sample, all gold ones and some of the
 * others, which takes a few more steps to the same minimum.
 *
 * @param lowest value of each feature in training; lower ones count as this one, so that products do not extrapolate
 * @param highest value of each feature in training
 * @param mean of each feature
 * @param scale 1 / standard deviation of each feature, 0 for a constant one
 * @param weights of the features, then of the products in the order (0, 0), (1, 0), (1, 1), (2, 0), …, then the bias
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PairRegression(float[] lowest, float[] highest, double[] mean, double[] scale, double[] weights) {

    /** A pair to fit; {@code gold} tells whether the document has the label. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Pair(float[] features, boolean gold) {}

    private static final int MAX_STEPS = 50;
    private static final double TOLERANCE = 1e-9; // of the decrease of the loss that a step expects, per pair
    private static final int HESSIAN_PAIRS = 100_000; // pairs that are not gold, in the sample
    private static final int CHUNKS = 16; // summed in order, so that results do not depend on the number of threads

    public PairRegression {
        int features = mean.length;
        String expected = features + ", one for each feature";
        Arguments.check(lowest.length == features, "lowest", lowest.length, expected);
        Arguments.check(highest.length == features, "highest", highest.length, expected);
        Arguments.check(scale.length == features, "scale", scale.length, expected);
        Arguments.check(weights.length == size(features), "weights", weights.length, "" + size(features));
    }

    /** The number of weights of so many features. */
    static int size(int features) {
        return features + features * (features + 1) / 2 + 1;
    }

    /** The probability of a pair; features after those of the regression are ignored. */
    public double probability(float[] features) {
        return sigmoid(dot(weights, expand(features, new double[weights.length])));
    }

    /** Writes the standardized features, their products and a constant into an array. */
    private double[] expand(float[] features, double[] expanded) {
        int count = mean.length;
        for (int i = 0; i < count; i++) {
            float value = Math.max(lowest[i], Math.min(highest[i], features[i]));
            expanded[i] = (value - mean[i]) * scale[i];
        }
        int at = count;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j <= i; j++) {
                expanded[at++] = expanded[i] * expanded[j];
            }
        }
        expanded[at] = 1;
        return expanded;
    }

    /** Fits pairs, one or more. */
    public static PairRegression fit(List<Pair> rows) {
        PairRegression start = standardized(rows);
        Pairs pairs = new Pairs(start, rows);
        double[] weights = start.weights.clone();
        double loss = pairs.loss(weights);
        for (int step = 0; step < MAX_STEPS; step++) {
            Derivatives derivatives = pairs.derivatives(weights);
            double[] direction = derivatives.solve();
            double decrease = dot(derivatives.gradient, direction);
            if (decrease <= TOLERANCE * rows.size()) {
                break;
            }
            double length = 1; // halved until the loss falls enough (Armijo)
            double[] next = moved(weights, direction, length);
            double nextLoss = pairs.loss(next);
            while (nextLoss > loss - 1e-4 * length * decrease && length > 1e-10) {
                length /= 2;
                next = moved(weights, direction, length);
                nextLoss = pairs.loss(next);
            }
            if (!(nextLoss < loss)) {
                break; // rounding errors are larger than what is left to gain
            }
            weights = next;
            loss = nextLoss;
        }
        return new PairRegression(start.lowest, start.highest, start.mean, start.scale, weights);
    }

    /** A regression without weights that standardizes the features. */
    private static PairRegression standardized(List<Pair> rows) {
        int count = rows.get(0).features().length;
        float[] lowest = rows.get(0).features().clone();
        float[] highest = lowest.clone();
        double[] mean = new double[count];
        double[] scale = new double[count];
        for (Pair row : rows) {
            for (int i = 0; i < count; i++) {
                lowest[i] = Math.min(lowest[i], row.features()[i]);
                highest[i] = Math.max(highest[i], row.features()[i]);
                mean[i] += row.features()[i] / rows.size();
            }
        }
        for (Pair row : rows) {
            for (int i = 0; i < count; i++) {
                double difference = row.features()[i] - mean[i];
                scale[i] += difference * difference / rows.size();
            }
        }
        for (int i = 0; i < count; i++) {
            double deviation = Math.sqrt(scale[i]);
            scale[i] = deviation > 1e-6 * Math.max(1, Math.abs(mean[i])) ? 1 / deviation : 0;
        }
        return new PairRegression(lowest, highest, mean, scale, new double[size(count)]);
    }

    private static double[] moved(double[] from, double[] direction, double length) {
        double[] to = from.clone();
        for (int i = 0; i < to.length; i++) {
            to[i] -= length * direction[i];
        }
        return to;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static double sigmoid(double logit) {
        return 1 / (1 + Math.exp(-logit));
    }

    /** The pairs to fit, processed in chunks by all cores. */
    private record Pairs(PairRegression features, List<Pair> rows) {

        private int start(int chunk) {
            return (int) ((long) rows.size() * chunk / CHUNKS);
        }

        double loss(double[] weights) {
            double sum = IntStream.range(0, CHUNKS)
                    .parallel()
                    .mapToDouble(chunk -> loss(weights, start(chunk), start(chunk + 1)))
                    .boxed()
                    .toList()
                    .stream()
                    .mapToDouble(Double::doubleValue)
                    .sum();
            for (int i = 0; i < weights.length - 1; i++) {
                sum += weights[i] * weights[i] / 2;
            }
            return sum;
        }

        private double loss(double[] weights, int from, int to) {
            double[] expanded = new double[weights.length];
            double sum = 0;
            for (Pair pair : rows.subList(from, to)) {
                double logit = dot(weights, features.expand(pair.features(), expanded));
                double wrong = pair.gold() ? -logit : logit;
                sum += Math.max(wrong, 0) + Math.log1p(Math.exp(-Math.abs(wrong)));
            }
            return sum;
        }

        Derivatives derivatives(double[] weights) {
            Derivatives sum = new Derivatives(weights.length);
            IntStream.range(0, CHUNKS)
                    .parallel()
                    .mapToObj(chunk -> derivatives(weights, start(chunk), start(chunk + 1)))
                    .toList()
                    .forEach(sum::add);
            for (int i = 0; i < weights.length - 1; i++) {
                sum.gradient[i] += weights[i];
                sum.hessian[i][i] += 1;
            }
            sum.hessian[weights.length - 1][weights.length - 1] +=
                    1e-9; // positive even if all probabilities are 0 or 1
            return sum;
        }

        private Derivatives derivatives(double[] weights, int from, int to) {
            Derivatives sum = new Derivatives(weights.length);
            double[] expanded = new double[weights.length];
            int interval = 1 + rows.size() / HESSIAN_PAIRS;
            for (int i = from; i < to; i++) {
                Pair pair = rows.get(i);
                features.expand(pair.features(), expanded);
                double probability = sigmoid(dot(weights, expanded));
                sum.addGradient(expanded, probability - (pair.gold() ? 1 : 0));
                if (pair.gold() || i % interval == 0) {
                    sum.addHessian(expanded, (pair.gold() ? 1 : interval) * probability * (1 - probability));
                }
            }
            return sum;
        }
    }

    /** The gradient and the lower triangle of the Hessian matrix. */
    private static final class Derivatives {

        private final double[] gradient;
        private final double[][] hessian;

        Derivatives(int size) {
            gradient = new double[size];
            hessian = new double[size][];
            Arrays.setAll(hessian, row -> new double[row + 1]);
        }

        void addGradient(double[] x, double error) {
            for (int i = 0; i < x.length; i++) {
                gradient[i] += error * x[i];
            }
        }

        void addHessian(double[] x, double curvature) {
            for (int i = 0; i < x.length; i++) {
                double scaled = curvature * x[i];
                double[] row = hessian[i];
                for (int j = 0; j < row.length; j++) {
                    row[j] += scaled * x[j];
                }
            }
        }

        void add(Derivatives other) {
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] += other.gradient[i];
                for (int j = 0; j <= i; j++) {
                    hessian[i][j] += other.hessian[i][j];
                }
            }
        }

        /** Hessian⁻¹ · gradient by Cholesky decomposition, which replaces the Hessian. */
        double[] solve() {
            int n = gradient.length;
            double[] solution = gradient.clone();
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double sum = hessian[i][j];
                    for (int k = 0; k < j; k++) {
                        sum -= hessian[i][k] * hessian[j][k];
                    }
                    hessian[i][j] = i == j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / hessian[j][j];
                }
                for (int k = 0; k < i; k++) {
                    solution[i] -= hessian[i][k] * solution[k];
                }
                solution[i] /= hessian[i][i];
            }
            for (int i = n - 1; i >= 0; i--) {
                for (int k = i + 1; k < n; k++) {
                    solution[i] -= hessian[k][i] * solution[k];
                }
                solution[i] /= hessian[i][i];
            }
            return solution;
        }
    }
}
