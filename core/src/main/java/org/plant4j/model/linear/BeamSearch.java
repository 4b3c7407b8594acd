package org.plant4j.model.linear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Finds the leaf nodes of a tree that are most probable for a document, level by level. */
final class BeamSearch {

    /** A node and the logarithm of the product of the probabilities on the path to it. */
    record Reached(TreeNode node, double logProbability) {}

    private BeamSearch() {}

    /** At most {@code beam} leaf nodes, best first. */
    static List<Reached> leaves(TreeNode root, SparseVector document, int beam) {
        List<Reached> level = List.of(new Reached(root, 0));
        while (level.stream().anyMatch(reached -> !reached.node().isLeaf())) {
            List<Reached> next = new ArrayList<>();
            for (Reached reached : level) {
                addChildren(reached, document, next);
            }
            next.sort(Comparator.comparingDouble(Reached::logProbability).reversed());
            level = next.subList(0, Math.min(beam, next.size()));
        }
        return level;
    }

    /** Leaf nodes may lie on different levels; those already reached stay. */
    private static void addChildren(Reached reached, SparseVector document, List<Reached> next) {
        TreeNode node = reached.node();
        if (node.isLeaf()) {
            next.add(reached);
            return;
        }
        double[] margins = node.weights().margins(document);
        for (int child = 0; child < margins.length; child++) {
            next.add(new Reached(node.nodes().get(child), reached.logProbability() + logSigmoid(margins[child])));
        }
    }

    static double logSigmoid(double x) {
        return x < 0 ? x - Math.log1p(Math.exp(x)) : -Math.log1p(Math.exp(-x));
    }
}
