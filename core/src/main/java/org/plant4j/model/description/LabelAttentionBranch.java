package org.plant4j.model.description;

import java.nio.file.Path;
import java.util.Optional;
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
import org.plant4j.tensor.LabelSelection;

/**
 * Logits from an attention per label, Σ_j a_jl (h_j · w_l), which does not depend on descriptions and can be planted.
 */
final class LabelAttentionBranch extends Layer {

    private final @Nullable LabelAttention labelAttention;
    private final @Nullable PlantedAttention planted;
    private final Tensor weight; // (L, H)

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
}
