package org.plant4j.model.baseline;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Points of a {@link CodeTree} in the Poincaré ball, where the distance of a node to its ancestors is small and to other nodes
 * large: for a node u and an ancestor v, the loss is -log(exp(-d(u, v)) / Σ_v' exp(-d(u, v'))) over v and random nodes v'.
 *
 * <p>Nickel, Kiela: Poincaré Embeddings for Learning Hierarchical Representations, NeurIPS 2017, equations 1 to 6; reference
 * implementation: <a href="https://github.com/facebookresearch/poincare-embeddings">poincare-embeddings</a>.
 */
final class PoincareEmbedding {

    static final int EPOCHS = 50;

    private static final int NEGATIVES = 10;
    private static final double RATE = 0.1;
    private static final double START = 0.001;
    private static final double LARGEST_NORM = 1 - 1e-3; // closer to the border distances lose precision in float32

    private final CodeTree tree;
    private final double[][] points;
    private final Random random;

    private PoincareEmbedding(CodeTree tree, int size, long seed) {
        this.tree = tree;
        random = new Random(seed);
        points = new double[tree.nodes()][size];
        for (double[] point : points) {
            for (int i = 0; i < size; i++) {
                point[i] = START * (2 * random.nextDouble() - 1);
            }
        }
    }

    /** Points (N, size) of all nodes. */
    static double[][] train(CodeTree tree, int size, int epochs, long seed) {
        PoincareEmbedding embedding = new PoincareEmbedding(tree, size, seed);
        List<int[]> pairs = new ArrayList<>();
        for (int node = 0; node < tree.nodes(); node++) {
            int[] lineage = tree.lineage(node);
            for (int i = 1; i < lineage.length; i++) {
                pairs.add(new int[] {node, lineage[i]});
            }
        }
        for (int epoch = 0; epoch < epochs; epoch++) {
            Collections.shuffle(pairs, embedding.random);
            double rate = epoch < epochs / 5 ? RATE / 10 : RATE; // slow at first, so that angles form near the centre
            pairs.forEach(pair -> embedding.step(pair[0], pair[1], rate));
        }
        return embedding.points;
    }

    /** One step of Riemannian gradient descent for a node and its ancestor. */
    private void step(int node, int ancestor, double rate) {
        int[] others = new int[NEGATIVES + 1];
        others[0] = ancestor;
        for (int i = 1; i < others.length; i++) {
            others[i] = random.nextInt(points.length);
        }
        double[] likelihoods = new double[others.length];
        double sum = 0;
        for (int i = 0; i < others.length; i++) {
            boolean counts = i == 0 || !isInLineage(others[i], node);
            likelihoods[i] = counts ? Math.exp(-distance(points[node], points[others[i]])) : 0;
            sum += likelihoods[i];
        }
        double[] ownGradient = new double[points[node].length];
        double[][] gradients = new double[others.length][];
        for (int i = 0; i < others.length; i++) {
            double factor = (i == 0 ? 1 : 0) - likelihoods[i] / sum; // of the distance
            gradients[i] = scaled(gradient(points[others[i]], points[node]), factor);
            add(ownGradient, scaled(gradient(points[node], points[others[i]]), factor), 1);
        }
        move(points[node], ownGradient, rate);
        for (int i = 0; i < others.length; i++) {
            move(points[others[i]], gradients[i], rate);
        }
    }

    private boolean isInLineage(int candidate, int node) {
        for (int each : tree.lineage(node)) {
            if (each == candidate) {
                return true;
            }
        }
        return false;
    }

    /** d(u, v) = arcosh(1 + 2 |u - v|² / ((1 - |u|²) (1 - |v|²))). */
    static double distance(double[] u, double[] v) {
        double x = 2 * squaredDistance(u, v) / ((1 - dot(u, u)) * (1 - dot(v, v)));
        return Math.log1p(x + Math.sqrt(x * (x + 2)));
    }

    /** The gradient of d(u, v) with respect to u; 0 where u = v. */
    static double[] gradient(double[] u, double[] v) {
        double alpha = 1 - dot(u, u);
        double beta = 1 - dot(v, v);
        double gamma = 1 + 2 * squaredDistance(u, v) / (alpha * beta);
        double root = Math.sqrt(gamma * gamma - 1);
        double[] gradient = new double[u.length];
        if (root < 1e-9) {
            return gradient;
        }
        double scale = 4 / (beta * root);
        double own = (dot(v, v) - 2 * dot(u, v) + 1) / (alpha * alpha);
        for (int i = 0; i < gradient.length; i++) {
            gradient[i] = scale * (own * u[i] - v[i] / alpha);
        }
        return gradient;
    }

    /** A step against the gradient, scaled by the metric of the ball; the point stays inside. */
    private static void move(double[] point, double[] gradient, double rate) {
        double metric = 1 - dot(point, point);
        add(point, gradient, -rate * metric * metric / 4);
        double norm = Math.sqrt(dot(point, point));
        if (norm > LARGEST_NORM) {
            for (int i = 0; i < point.length; i++) {
                point[i] *= LARGEST_NORM / norm;
            }
        }
    }

    private static double[] scaled(double[] vector, double factor) {
        double[] result = vector.clone();
        for (int i = 0; i < result.length; i++) {
            result[i] *= factor;
        }
        return result;
    }

    private static void add(double[] sum, double[] vector, double factor) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += factor * vector[i];
        }
    }

    private static double squaredDistance(double[] u, double[] v) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += (u[i] - v[i]) * (u[i] - v[i]);
        }
        return sum;
    }

    private static double dot(double[] u, double[] v) {
        double sum = 0;
        for (int i = 0; i < u.length; i++) {
            sum += u[i] * v[i];
        }
        return sum;
    }
}
