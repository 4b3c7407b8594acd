package org.plant4j.model.baseline;

import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.layer.Layer;
import org.plant4j.layer.Linear;
import org.plant4j.tensor.Compute;

/**
 * A graph convolution over a {@link CodeTree}: y_n = W x_n + P x_parent(n) + C mean over the children of n + b. A node without
 * parent or children lacks that summand.
 */
final class CodeTreeConvolution extends Layer {

    private final Linear own;
    private final Linear parent;
    private final Linear child;
    private final Tensor parents; // (N), 0 for a root
    private final Tensor hasParent; // (N, 1), 0 for a root
    private final Tensor childShare; // (N, 1), one over the number of children

    CodeTreeConvolution(CodeTree tree, int in, int out, Compute compute) {
        own = submodule("own", new Linear(in, out, true, compute));
        parent = submodule("parent", new Linear(in, out, false, compute));
        child = submodule("child", new Linear(in, out, false, compute));
        int nodes = tree.nodes();
        float[] present = new float[nodes];
        float[] share = new float[nodes];
        int[] children = new int[nodes];
        for (int node = 0; node < nodes; node++) {
            if (tree.parents()[node] >= 0) {
                present[node] = 1;
                children[tree.parents()[node]]++;
            }
        }
        for (int node = 0; node < nodes; node++) {
            share[node] = 1f / Math.max(1, children[node]);
        }
        long[] indices =
                Arrays.stream(tree.parents()).mapToLong(it -> Math.max(0, it)).toArray();
        try (PointerScope scope = new PointerScope()) {
            parents = retained(compute.toDevice(Tensor.create(indices)));
            hasParent = retained(compute.toDevice(Tensor.create(present, nodes, 1)));
            childShare = retained(compute.toDevice(Tensor.create(share, nodes, 1)));
        }
    }

    private static Tensor retained(Tensor tensor) {
        tensor.retainReference(); // outlives the scope: the layer owns it
        return tensor;
    }

    /** (N, in) to (N, out). */
    Tensor forward(Tensor x) {
        Tensor fromParent = parent.forward(x).index_select(0, parents).mul(hasParent);
        Tensor toParent = child.forward(x).mul(hasParent);
        Tensor fromChildren =
                torch.zeros_like(toParent).index_add(0, parents, toParent).mul(childShare);
        return own.forward(x).add(fromParent).add(fromChildren);
    }

    @Override
    public void close() {
        super.close();
        parents.close();
        hasParent.close();
        childShare.close();
    }
}
