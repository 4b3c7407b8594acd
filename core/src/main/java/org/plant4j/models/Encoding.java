package org.plant4j.models;

import java.util.List;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.nn.Memory;

/** What decoding needs of a segment and is the same for every label: tensors (B, T, ·), and the memory it leaves. */
record Encoding(List<Tensor> parts, Memory after) {

    static Encoding of(Tensor... parts) {
        return new Encoding(List.of(parts), Memory.NONE);
    }

    Tensor part(int index) {
        return parts.get(index);
    }

    /** The same numbers as leaves: labels decoded one range after the other leave their gradients there. */
    Encoding leaves() {
        return new Encoding(parts.stream().map(Encoding::leaf).toList(), after);
    }

    private static Tensor leaf(Tensor part) {
        Tensor leaf = part.detach();
        leaf.set_requires_grad(part.requires_grad());
        return leaf;
    }

    /** Carries the gradients that gathered at leaves back through what made their originals, all in one pass. */
    static void backward(List<Encoding> originals, List<Encoding> leaves) {
        Gradients.send(
                originals.stream().flatMap(each -> each.parts.stream()).toList(),
                leaves.stream()
                        .flatMap(each -> each.parts.stream())
                        .map(Tensor::grad)
                        .toList());
    }
}
