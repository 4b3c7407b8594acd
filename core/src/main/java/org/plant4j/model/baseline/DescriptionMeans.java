package org.plant4j.model.baseline;

import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Embedding;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/** Vectors of labels from their descriptions: the mean word vector of the known tokens, scaled to length 1. */
final class DescriptionMeans {

    private DescriptionMeans() {}

    /**
     * Overwrites the first rows of a tensor (≥ L, E) with the vectors of the labels. The row of a label without known tokens
     * keeps its value.
     */
    static void copy(List<int[]> descriptions, Embedding embedding, Tensor vectors, Compute compute) {
        Arguments.check(
                descriptions.size() <= vectors.size(0), "descriptions", descriptions.size(), "≤ " + vectors.size(0));
        try (NoGradGuard noGrad = new NoGradGuard()) {
            for (int label = 0; label < descriptions.size(); label++) {
                long[] known = Arrays.stream(descriptions.get(label))
                        .filter(token -> token > Vocabulary.UNKNOWN)
                        .asLongStream()
                        .toArray();
                if (known.length > 0) {
                    try (PointerScope scope = new PointerScope()) {
                        Tensor sum = embedding
                                .forward(compute.toDevice(Tensor.create(known)))
                                .sum(0L); // (E)
                        vectors.select(0, label).copy_(sum.div(sum.norm().clamp_min(new Scalar(1e-8))));
                    }
                }
            }
        }
    }
}
