package org.plant4j.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.EncoderState;
import org.plant4j.train.GradientCheckpoint;
import org.plant4j.train.Gradients;

/**
 * The tensors a network computes once per batch and reuses for every label range, typically the hidden states. A
 * network that needs nothing else uses {@link EncodedDocuments}; others declare their own record.
 *
 * @param <E> the implementing record
 */
public interface Encoding<E extends Encoding<E>> {

    /** A copy with the function applied to every tensor. */
    E map(UnaryOperator<Tensor> function);

    /** The encoder state with which the next segment of the same documents starts. */
    default EncoderState nextState() {
        return EncoderState.EMPTY;
    }

    /** Gradient checkpoints whose values are among the tensors; their backward pass runs after that of the tensors. */
    default List<GradientCheckpoint> checkpoints() {
        return List.of();
    }

    /** All tensors, in a fixed order. */
    default List<Tensor> tensors() {
        List<Tensor> tensors = new ArrayList<>();
        map(tensor -> {
            tensors.add(tensor);
            return tensor;
        });
        return tensors;
    }

    /** A copy whose tensors are leaves of the autograd graph, so that they accumulate gradients over label ranges. */
    default E leaves() {
        return map(tensor -> {
            Tensor leaf = tensor.detach();
            leaf.set_requires_grad(tensor.requires_grad());
            return leaf;
        });
    }

    /** A copy without gradients that outlives the current scope; the caller closes its {@link #tensors}. */
    default E retained() {
        return map(tensor -> {
            Tensor retained = tensor.detach();
            retained.retainReference();
            return retained;
        });
    }

    /** Backpropagates the gradients accumulated at the leaves of several encodings in one pass. */
    static <E extends Encoding<E>> void backward(List<E> encodings, List<E> leaves) {
        Gradients.backward(
                encodings.stream().flatMap(each -> each.tensors().stream()).toList(),
                leaves.stream()
                        .flatMap(each -> each.tensors().stream())
                        .map(Tensor::grad)
                        .toList());
        encodings.forEach(each -> each.checkpoints().forEach(GradientCheckpoint::backward));
    }
}
