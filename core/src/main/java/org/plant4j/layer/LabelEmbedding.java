package org.plant4j.layer;

import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * A vector for each label: the direction of the mean of its description's word vectors, projected, and a part of its own to learn; a label
 * without a description has the latter alone. One more vector, the mask, stands where a label was taken away.
 */
public final class LabelEmbedding extends Layer implements LabelBias {

    private final Compute compute;
    private final Tensor weight; // (L, H)
    private final Tensor mask; // (1, H)
    private final Tensor bias; // (L)
    private final Tensor projection; // (H, E)
    private @Nullable DescriptionTokens descriptions; // none where nothing is described

    /** The words of all descriptions, one after the other: the label of each, and one over the number of a label's words. */
    private record DescriptionTokens(Tensor words, Tensor owners, Tensor shares) {

        static DescriptionTokens of(List<int[]> descriptions, Compute compute) {
            int count = descriptions.stream().mapToInt(words -> words.length).sum();
            long[] words = new long[count];
            long[] owners = new long[count];
            float[] shares = new float[descriptions.size()];
            int next = 0;
            for (int label = 0; label < shares.length; label++) {
                int[] own = descriptions.get(label);
                shares[label] = own.length == 0 ? 0 : 1f / own.length;
                for (int word : own) {
                    words[next] = word;
                    owners[next++] = label;
                }
            }
            return new DescriptionTokens(
                    kept(Tensor.create(words), compute),
                    kept(Tensor.create(owners), compute),
                    kept(Tensor.create(shares, shares.length, 1), compute));
        }

        private static Tensor kept(Tensor tensor, Compute compute) {
            Tensor placed = compute.toDevice(tensor);
            placed.retainReference(); // outlives the scope: it belongs to the layer
            return placed;
        }

        /** (L, E). */
        Tensor mean(Embedding embedding) {
            Tensor vectors = embedding.forward(words);
            return torch.zeros(new long[] {shares.size(0), vectors.size(1)}, vectors.options())
                    .index_add(0, owners, vectors)
                    .mul(shares);
        }

        void close() {
            words.close();
            owners.close();
            shares.close();
        }
    }

    /** Words have vectors of {@code wordSize} numbers, labels of {@code size}. */
    public LabelEmbedding(int labels, int wordSize, int size, double deviation, double initialBias, Compute compute) {
        this.compute = compute;
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
        mask = parameter("mask", compute, Init.normal(deviation), 1, size);
        bias = parameter("bias", compute, Init.constant(initialBias), labels);
        projection = parameter("projection.weight", compute, Init.normal(deviation), size, wordSize);
    }

    /** Token ids of each label's description. */
    public void setDescriptions(List<int[]> descriptions) {
        if (descriptions.size() != weight.size(0)) {
            throw new IllegalArgumentException(
                    "descriptions: " + descriptions.size() + " (expected: " + weight.size(0) + ")");
        }
        clearDescriptions();
        if (descriptions.stream().anyMatch(words -> words.length > 0)) {
            this.descriptions = DescriptionTokens.of(descriptions, compute);
        }
    }

    /** Every label's vector, (L, H). */
    public Tensor forward(Embedding words) {
        return descriptions == null
                ? weight
                : torch.matmul(unit(descriptions.mean(words)), projection.t()).add(weight);
    }

    /** Of length 1, however long word vectors are, or each step would move all labels far; what has no length stays 0. */
    private static Tensor unit(Tensor means) {
        return means.div(means.norm(new ScalarOptional(new Scalar(2)), new long[] {-1}, true)
                .clamp_min(new Scalar(1e-8)));
    }

    /** The labels' vectors and, after the last of them, the mask's: (L + 1, H). */
    public Tensor withMask(Tensor labels) {
        return torch.cat(new TensorVector(labels, mask), 0);
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return labels.select(bias);
    }

    @Override
    public void initializeBias(float[] values) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard noGrad = new NoGradGuard()) {
            bias.copy_(Tensor.create(values));
        }
    }

    private void clearDescriptions() {
        if (descriptions != null) {
            descriptions.close();
            descriptions = null;
        }
    }

    @Override
    public void close() {
        super.close();
        clearDescriptions();
    }
}
