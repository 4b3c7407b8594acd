package org.plant4j.layer;

import java.util.List;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Label embedding: a trainable vector per label, plus the projected direction of the mean token embedding of its
 * description if it has one. One more vector, the mask, stands for a hidden label.
 */
public final class LabelEmbedding extends Layer implements LabelBias {

    private static final double SMALLEST_NORM = 1e-8;

    private final Compute compute;
    private final Tensor weight; // (L, H)
    private final Tensor mask; // (1, H)
    private final Tensor bias; // (L)
    private final Tensor projection; // (H, E)
    private @Nullable DescriptionTokens descriptions; // null if no label has a description

    /**
     * Tokens of all descriptions, concatenated.
     *
     * @param ids the tokens (N)
     * @param labels the label of each token (N)
     * @param inverseLengths one over the number of a label's tokens (L, 1)
     */
    private record DescriptionTokens(Tensor ids, Tensor labels, Tensor inverseLengths) {

        static DescriptionTokens of(List<int[]> descriptions, Compute compute) {
            int count = descriptions.stream().mapToInt(tokens -> tokens.length).sum();
            long[] ids = new long[count];
            long[] labels = new long[count];
            float[] inverseLengths = new float[descriptions.size()];
            int next = 0;
            for (int label = 0; label < inverseLengths.length; label++) {
                int[] tokens = descriptions.get(label);
                inverseLengths[label] = tokens.length == 0 ? 0 : 1f / tokens.length;
                for (int token : tokens) {
                    ids[next] = token;
                    labels[next++] = label;
                }
            }
            return new DescriptionTokens(
                    retained(Tensor.create(ids), compute),
                    retained(Tensor.create(labels), compute),
                    retained(Tensor.create(inverseLengths, inverseLengths.length, 1), compute));
        }

        private static Tensor retained(Tensor tensor, Compute compute) {
            Tensor placed = compute.toDevice(tensor);
            placed.retainReference(); // outlives the open scope: the layer owns it
            return placed;
        }

        /** Mean token embedding of each label: (L, E). */
        Tensor mean(Embedding embedding) {
            Tensor vectors = embedding.forward(ids); // (N, E)
            return torch.zeros(new long[] {inverseLengths.size(0), vectors.size(1)}, vectors.options())
                    .index_add(0, labels, vectors)
                    .mul(inverseLengths);
        }

        void close() {
            ids.close();
            labels.close();
            inverseLengths.close();
        }
    }

    /** Label vectors of size {@code size} over token embeddings of size {@code embeddingSize}. */
    public LabelEmbedding(
            int labels, int embeddingSize, int size, double standardDeviation, double initialBias, Compute compute) {
        this.compute = compute;
        weight = parameter("weight", compute, Init.normal(standardDeviation), labels, size);
        mask = parameter("mask", compute, Init.normal(standardDeviation), 1, size);
        bias = parameter("bias", compute, Init.constant(initialBias), labels);
        projection = parameter("projection.weight", compute, Init.normal(standardDeviation), size, embeddingSize);
    }

    /** Sets the token ids of each label's description; an empty array means none. */
    public void setDescriptions(List<int[]> tokens) {
        Arguments.check(tokens.size() == weight.size(0), "descriptions", tokens.size(), "" + weight.size(0));
        clearDescriptions();
        if (tokens.stream().anyMatch(description -> description.length > 0)) {
            descriptions = DescriptionTokens.of(tokens, compute);
        }
    }

    /** All label vectors: (L, H). */
    public Tensor forward(Embedding embedding) {
        return descriptions == null
                ? weight
                : torch.matmul(normalize(descriptions.mean(embedding)), projection.t())
                        .add(weight);
    }

    /**
     * Scales rows to length 1; zero rows stay zero. Without it the length of the token embeddings would set the step
     * size of every label.
     */
    private static Tensor normalize(Tensor means) {
        return means.div(means.norm(new ScalarOptional(new Scalar(2)), new long[] {-1}, true)
                .clamp_min(new Scalar(SMALLEST_NORM)));
    }

    /** Label vectors (L, H) with the mask vector appended: (L + 1, H). */
    public Tensor withMask(Tensor labels) {
        return torch.cat(new TensorVector(labels, mask), 0);
    }

    @Override
    public Tensor bias(LabelSelection labels) {
        return labels.select(bias);
    }

    @Override
    public void initializeBias(float[] values) {
        setValues(bias, values);
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
