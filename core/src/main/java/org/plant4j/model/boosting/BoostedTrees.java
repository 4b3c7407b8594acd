package org.plant4j.model.boosting;

import org.plant4j.support.Arguments;

/**
 * Gradient-boosted decision trees for a binary outcome: its log-odds are the bias plus one leaf of each tree.
 * All trees are complete binary trees of one depth. Node n of a tree has the children 2n + 1 and 2n + 2; a row goes to the
 * second one if the node's feature is greater than its threshold.
 *
 * <p>Friedman: Greedy Function Approximation: A Gradient Boosting Machine, Annals of Statistics 29, 2001; second-order gains
 * as in Chen, Guestrin: XGBoost, KDD 2016. {@link BoostedTreesTrainer} fits them.
 *
 * @param depth of the trees
 * @param bias log-odds before the first tree
 * @param features of the inner nodes of all trees, one tree after the other; {@link #NO_SPLIT} where all rows go to the first child
 * @param thresholds of the inner nodes
 * @param leaves of all trees
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BoostedTrees(int depth, double bias, int[] features, float[] thresholds, float[] leaves) {

    public static final int NO_SPLIT = -1;
    public static final int MAX_DEPTH = 12;

    public BoostedTrees {
        Arguments.between(1, MAX_DEPTH, "depth", depth);
        int trees = leaves.length / leavesPerTree(depth);
        String expected = "those of " + trees + " trees";
        Arguments.check(leaves.length == trees * leavesPerTree(depth), "leaves", leaves.length, expected);
        Arguments.check(features.length == trees * innerNodes(depth), "features", features.length, expected);
        Arguments.check(thresholds.length == features.length, "thresholds", thresholds.length, expected);
    }

    static int leavesPerTree(int depth) {
        return 1 << depth;
    }

    static int innerNodes(int depth) {
        return (1 << depth) - 1;
    }

    public int trees() {
        return leaves.length / leavesPerTree(depth);
    }

    /** The log-odds of a row. */
    public double logit(float[] row) {
        double sum = bias;
        for (int tree = 0; tree < trees(); tree++) {
            sum += leaves[tree * leavesPerTree(depth) + leaf(tree, row)];
        }
        return sum;
    }

    /** The leaf of a tree that a row reaches. */
    private int leaf(int tree, float[] row) {
        int inner = innerNodes(depth);
        int node = 0;
        while (node < inner) {
            int at = tree * inner + node;
            boolean second = features[at] != NO_SPLIT && row[features[at]] > thresholds[at];
            node = 2 * node + (second ? 2 : 1);
        }
        return node - inner;
    }
}
