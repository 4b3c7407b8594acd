package org.plant4j.train;

import java.util.ArrayList;
import java.util.List;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Backpropagates given gradients of several tensors in one pass. */
public final class Gradients {

    private Gradients() {}

    /** Tensors that need no gradient, or have none, are skipped. */
    public static void backward(List<Tensor> tensors, List<Tensor> gradients) {
        List<Tensor> roots = new ArrayList<>();
        List<Tensor> rootGradients = new ArrayList<>();
        for (int i = 0; i < tensors.size(); i++) {
            if (tensors.get(i).requires_grad() && gradients.get(i).defined()) {
                roots.add(tensors.get(i));
                rootGradients.add(gradients.get(i));
            }
        }
        if (!roots.isEmpty()) {
            torch.backward(vector(roots), vector(rootGradients), new BoolOptional(), false, new TensorVector());
        }
    }

    private static TensorVector vector(List<Tensor> tensors) {
        return new TensorVector(tensors.toArray(Tensor[]::new));
    }
}
