package org.plant4j.model.description;

import java.nio.file.Path;
import java.util.Optional;
import org.bytedeco.pytorch.GradMode;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.model.plant.PlantedAttention;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Int8Weights;
import org.plant4j.tensor.LabelSelection;

/**
 * Logits from an attention per label, Σ_j a_jl (h_j · w_l), which does not depend on descriptions and can be planted.
 */
final class LabelAttentionBranch extends Layer {

    /** In int8, so that the attention of a document stays in the cache. */
    private static final int LABELS_PER_CHUNK = 256;

    private final @Nullable LabelAttention labelAttention;
    private final @Nullable PlantedAttention planted;
    private final Tensor weight; // (L, H)
    private final Compute compute;
    private @Nullable LabelChunks<Int8Chunk> int8Chunks; // packed with the first prediction

    /** {@code size} is that of the hidden states. */
    LabelAttentionBranch(
            Optional<PlantedConfig> planting,
            int vocabularySize,
            int labels,
            int size,
            double deviation,
            Compute compute) {
        planted = planting.map(config ->
                        submodule("", new PlantedAttention(config, vocabularySize, labels, size, deviation, compute)))
                .orElse(null);
        labelAttention =
                planted == null ? submodule("attention", new LabelAttention(labels, size, deviation, compute)) : null;
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
        this.compute = compute;
    }

    /** Attention queries and weights of labels, both (L, H). */
    private record Int8Chunk(LabelSelection.Range labels, Int8Weights queries, Int8Weights weights)
            implements LabelChunks.Chunk {

        Tensor logits(Tensor hiddenStates, Tensor mask) {
            Tensor attention = LabelAttention.maskedSoftmax(queries.multiply(hiddenStates), mask); // (B, T, L)
            return weights.multiply(hiddenStates).mul_(attention).sum(1L);
        }

        @Override
        public void close() {
            queries.close();
            weights.close();
        }
    }

    private synchronized LabelChunks<Int8Chunk> int8Chunks(Tensor queries) {
        if (int8Chunks == null) {
            int8Chunks = new LabelChunks<>(
                    (int) weight.size(0),
                    LABELS_PER_CHUNK,
                    range -> new Int8Chunk(
                            range,
                            Int8Weights.forManyRows(range.select(queries), Optional.empty()),
                            Int8Weights.forManyRows(range.select(weight), Optional.empty())));
        }
        return int8Chunks;
    }

    void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (planted != null) {
            planted.plant(relevance, ranker);
        }
    }

    /** The ranker's features of the tokens, which do not depend on labels; empty if no ranker is planted. */
    Optional<Tensor> tokenFeatures(Batch batch) {
        return planted == null ? Optional.empty() : planted.tokenFeatures(batch);
    }

    /** Logits (B, L), given hidden states (B, T, H) and {@link #tokenFeatures}. */
    Tensor forward(Batch batch, Tensor hiddenStates, Optional<Tensor> tokenFeatures, LabelSelection selection) {
        Optional<LabelSelection.Range> range = LabelSelection.Range.of(selection, (int) weight.size(0));
        if (labelAttention != null && range.isPresent() && compute.quantizes() && !GradMode.is_enabled()) {
            return int8Chunks(labelAttention.queries())
                    .logits(range.get(), chunk -> chunk.logits(hiddenStates, batch.mask()));
        }
        return LabelHead.logits(
                hiddenStates, attention(batch, hiddenStates, tokenFeatures, selection), selection.select(weight));
    }

    /** The contribution of each token to the logits: (B, T, L). */
    Tensor tokenContributions(
            Batch batch, Tensor hiddenStates, Optional<Tensor> tokenFeatures, LabelSelection selection) {
        return torch.matmul(hiddenStates, selection.select(weight).t())
                .mul(attention(batch, hiddenStates, tokenFeatures, selection));
    }

    /** Attention weights (B, T, L). */
    Tensor attention(Batch batch, Tensor hiddenStates, Optional<Tensor> tokenFeatures, LabelSelection selection) {
        if (planted != null) {
            return planted.forward(batch, hiddenStates, tokenFeatures, selection);
        }
        if (labelAttention != null) {
            return labelAttention.forward(hiddenStates, batch.mask(), selection);
        }
        throw new IllegalStateException("no attention");
    }

    /** The planted layer, if it is trained further. */
    Optional<Layer> plantedLayer() {
        return planted == null ? Optional.empty() : planted.plantedLayer();
    }

    int bytesPerLabelAndToken() {
        return planted == null ? 0 : planted.bytesPerLabelAndToken();
    }

    void save(Path directory) {
        if (planted != null) {
            planted.save(directory);
        }
    }

    void load(Path directory) {
        if (planted != null) {
            planted.load(directory);
        }
    }

    @Override
    public void close() {
        if (int8Chunks != null) {
            int8Chunks.close();
        }
        super.close();
    }
}
