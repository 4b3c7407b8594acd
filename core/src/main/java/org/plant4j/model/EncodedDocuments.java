package org.plant4j.model;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.encoder.EncoderState;

/**
 * What decoding needs of a segment: tensors that are the same whichever labels are decoded, and the memory it leaves.
 * {@code recomputed} are those of them that are computed anew on the way back.
 */
public record EncodedDocuments(List<Tensor> tensors, EncoderState nextState, List<GradientCheckpoint> checkpoints) {

    public EncodedDocuments(List<Tensor> parts, EncoderState after) {
        this(parts, after, List.of());
    }

    public static EncodedDocuments of(Tensor... parts) {
        return new EncodedDocuments(List.of(parts), EncoderState.EMPTY);
    }

    public Tensor tensor(int index) {
        return tensors.get(index);
    }

    /** The same numbers as leaves: labels decoded one range after the other leave their gradients there. */
    EncodedDocuments leaves() {
        return new EncodedDocuments(tensors.stream().map(EncodedDocuments::leaf).toList(), nextState);
    }

    private static Tensor leaf(Tensor part) {
        Tensor leaf = part.detach();
        leaf.set_requires_grad(part.requires_grad());
        return leaf;
    }

    /** Carries the gradients that gathered at leaves back through what made their originals, all in one pass. */
    static void backward(List<EncodedDocuments> originals, List<EncodedDocuments> leaves) {
        Gradients.backward(
                originals.stream().flatMap(each -> each.tensors.stream()).toList(),
                leaves.stream()
                        .flatMap(each -> each.tensors.stream())
                        .map(Tensor::grad)
                        .toList());
        originals.forEach(original -> original.checkpoints.forEach(GradientCheckpoint::backward));
    }
}
