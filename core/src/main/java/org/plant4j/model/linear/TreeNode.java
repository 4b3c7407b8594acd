package org.plant4j.model.linear;

import java.util.List;

/**
 * A node of a label tree. A leaf node has the labels of a cluster as children, an inner node has nodes.
 *
 * @param nodes the children of an inner node; empty for a leaf node
 * @param labels the children of a leaf node, in ascending order; empty for an inner node
 * @param weights one classifier per child
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record TreeNode(List<TreeNode> nodes, int[] labels, NodeWeights weights) {

    TreeNode {
        nodes = List.copyOf(nodes);
    }

    boolean isLeaf() {
        return nodes.isEmpty();
    }
}
