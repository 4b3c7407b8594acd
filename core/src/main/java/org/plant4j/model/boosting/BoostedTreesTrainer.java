package org.plant4j.model.boosting;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.plant4j.support.Arguments;

/**
 * Fits boosted trees to rows by minimizing binary cross-entropy. Each tree is grown level by level from histograms of gradients
 * and of second derivatives. The result does not depend on the number of threads.
 */
public final class BoostedTreesTrainer {

    /**
     * Settings of the trees.
     *
     * @param trees number of trees
     * @param depth of each tree
     * @param learningRate factor on the leaves
     * @param penalty added to the second derivatives of a leaf
     * @param minHessian sum of second derivatives p (1 − p) on both sides of a split, at least
     * @param featureShare share of the features that a tree may use, drawn again for each tree
     */
    public record Settings(
            int trees, int depth, double learningRate, double penalty, double minHessian, double featureShare) {

        public Settings {
            Arguments.atLeast(1, "trees", trees);
            Arguments.between(1, BoostedTrees.MAX_DEPTH, "depth", depth);
            Arguments.positive("learning_rate", learningRate);
            Arguments.atLeast(0.0, "penalty", penalty);
            Arguments.atLeast(0.0, "min_hessian", minHessian);
            Arguments.fraction("feature_share", featureShare);
        }
    }

    private static final double LEAST_HESSIAN = 1e-6; // of a row
    private static final double LEAST_GAIN = 1e-9;

    private final Settings settings;
    private final FeatureBins bins;
    private final boolean[] outcomes;
    private final double[] logits;
    private final double[] gradients;
    private final double[] hessians;
    private final int[] nodes; // the node of the tree in progress that each row has reached

    private BoostedTreesTrainer(float[][] rows, boolean[] outcomes, double bias, Settings settings) {
        this.settings = settings;
        this.bins = FeatureBins.of(rows);
        this.outcomes = outcomes;
        this.logits = new double[rows.length];
        Arrays.fill(logits, bias);
        this.gradients = new double[rows.length];
        this.hessians = new double[rows.length];
        this.nodes = new int[rows.length];
    }

    /** Fits one or more rows; {@code random} draws the features of each tree. */
    public static BoostedTrees fit(float[][] rows, boolean[] outcomes, Settings settings, Random random) {
        int positives = 0;
        for (boolean outcome : outcomes) {
            positives += outcome ? 1 : 0;
        }
        double bias = Math.log((positives + 0.5) / (rows.length - positives + 0.5));
        BoostedTreesTrainer trainer = new BoostedTreesTrainer(rows, outcomes, bias, settings);
        int inner = BoostedTrees.innerNodes(settings.depth);
        int leaves = BoostedTrees.leavesPerTree(settings.depth);
        BoostedTrees trees = new BoostedTrees(
                settings.depth,
                bias,
                new int[settings.trees * inner],
                new float[settings.trees * inner],
                new float[settings.trees * leaves]);
        for (int tree = 0; tree < settings.trees; tree++) {
            trainer.grow(trees, tree, random);
        }
        return trees;
    }

    private void grow(BoostedTrees trees, int tree, Random random) {
        for (int row = 0; row < logits.length; row++) {
            double probability = 1 / (1 + Math.exp(-logits[row]));
            gradients[row] = probability - (outcomes[row] ? 1 : 0);
            hessians[row] = Math.max(LEAST_HESSIAN, probability * (1 - probability));
        }
        boolean[] allowed = new boolean[bins.features()];
        for (int feature = 0; feature < allowed.length; feature++) {
            allowed[feature] = random.nextDouble() < settings.featureShare;
        }
        Arrays.fill(nodes, 0);
        int offset = tree * BoostedTrees.innerNodes(settings.depth);
        for (int level = 0; level < settings.depth; level++) {
            int first = (1 << level) - 1;
            Split[] splits = bestSplits(first, 1 << level, allowed);
            for (int i = 0; i < splits.length; i++) {
                trees.features()[offset + first + i] = splits[i].feature;
                trees.thresholds()[offset + first + i] =
                        splits[i].feature == BoostedTrees.NO_SPLIT ? 0 : bins.cuts()[splits[i].feature][splits[i].bin];
            }
            for (int row = 0; row < nodes.length; row++) {
                Split split = splits[nodes[row] - first];
                boolean second = split.feature != BoostedTrees.NO_SPLIT && bins.bins()[split.feature][row] > split.bin;
                nodes[row] = 2 * nodes[row] + (second ? 2 : 1);
            }
        }
        setLeaves(trees, tree);
    }

    private void setLeaves(BoostedTrees trees, int tree) {
        int inner = BoostedTrees.innerNodes(settings.depth);
        double[] gradient = new double[BoostedTrees.leavesPerTree(settings.depth)];
        double[] hessian = new double[gradient.length];
        for (int row = 0; row < nodes.length; row++) {
            gradient[nodes[row] - inner] += gradients[row];
            hessian[nodes[row] - inner] += hessians[row];
        }
        int offset = tree * gradient.length;
        for (int leaf = 0; leaf < gradient.length; leaf++) {
            double step = hessian[leaf] == 0 ? 0 : gradient[leaf] / (hessian[leaf] + settings.penalty);
            trees.leaves()[offset + leaf] = (float) (-settings.learningRate * step);
        }
        for (int row = 0; row < nodes.length; row++) {
            logits[row] += trees.leaves()[offset + nodes[row] - inner];
        }
    }

    /** A split of a node: bins up to {@code bin} go to the first child. */
    private record Split(int feature, int bin, double gain) {

        static final Split NONE = new Split(BoostedTrees.NO_SPLIT, 0, LEAST_GAIN);
    }

    /** The best split of each node of a level; of equal ones that of the lowest feature. */
    private Split[] bestSplits(int first, int count, boolean[] allowed) {
        Split[][] byFeature = IntStream.range(0, bins.features())
                .parallel()
                .mapToObj(feature ->
                        allowed[feature] && bins.count(feature) > 1 ? bestSplits(first, count, feature) : new Split[0])
                .toArray(Split[][]::new);
        Split[] best = new Split[count];
        Arrays.fill(best, Split.NONE);
        for (Split[] splits : byFeature) {
            for (int i = 0; i < splits.length; i++) {
                if (splits[i].gain > best[i].gain) {
                    best[i] = splits[i];
                }
            }
        }
        return best;
    }

    /** The best split of each node of a level by one feature. */
    private Split[] bestSplits(int first, int count, int feature) {
        int size = bins.count(feature);
        double[] gradient = new double[size * count]; // sums by node and bin
        double[] hessian = new double[size * count];
        byte[] binOf = bins.bins()[feature];
        for (int row = 0; row < nodes.length; row++) {
            int at = (nodes[row] - first) * size + binOf[row];
            gradient[at] += gradients[row];
            hessian[at] += hessians[row];
        }
        Split[] best = new Split[count];
        for (int node = 0; node < count; node++) {
            best[node] = bestSplit(feature, gradient, hessian, node * size, size);
        }
        return best;
    }

    /** The best split of the bins from {@code from}; its gain is the decrease of twice the loss in second order. */
    private Split bestSplit(int feature, double[] gradient, double[] hessian, int from, int size) {
        double allGradient = 0;
        double allHessian = 0;
        for (int bin = from; bin < from + size; bin++) {
            allGradient += gradient[bin];
            allHessian += hessian[bin];
        }
        Split best = Split.NONE;
        double firstGradient = 0;
        double firstHessian = 0;
        for (int bin = 0; bin < size - 1; bin++) {
            firstGradient += gradient[from + bin];
            firstHessian += hessian[from + bin];
            double secondHessian = allHessian - firstHessian;
            if (firstHessian < settings.minHessian || secondHessian < settings.minHessian) {
                continue;
            }
            double gain = score(firstGradient, firstHessian)
                    + score(allGradient - firstGradient, secondHessian)
                    - score(allGradient, allHessian);
            if (gain > best.gain) {
                best = new Split(feature, bin, gain);
            }
        }
        return best;
    }

    private double score(double gradient, double hessian) {
        return gradient * gradient / (hessian + settings.penalty + 1e-12);
    }
}
