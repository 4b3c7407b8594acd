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

/** Each label's own look at a text, Σ_j a_jl (h_j · w_l): learned from nothing, or planted as PLANT's is. */
final class LabelAttentionBranch extends Layer {

    private final @Nullable LabelAttention learned;
    private final @Nullable PlantedAttention planted;
    private final Tensor weight; // (L, H)

    /** Over states of {@code size} numbers. */
    LabelAttentionBranch(
            Optional<PlantedConfig> planting, int vocabulary, int labels, int size, double deviation, Compute compute) {
        planted = planting.map(config ->
                        submodule("", new PlantedAttention(config, vocabulary, labels, size, deviation, compute)))
                .orElse(null);
        learned = planted == null ? submodule("attention", new LabelAttention(labels, size, deviation, compute)) : null;
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (planted != null) {
            planted.plant(relevance, ranker);
        }
    }

    /** What a ranker knows of tokens, the same for all labels. */
    Optional<Tensor> tokenFeatures(Batch texts) {
        return planted == null ? Optional.empty() : planted.tokenFeatures(texts);
    }

    /** Of texts, their states (B, T, H) and what {@link #tokenFeatures} gave: (B, L). */
    Tensor forward(Batch texts, Tensor states, Optional<Tensor> tokens, LabelSelection some) {
        return LabelHead.logits(states, attention(texts, states, tokens, some), some.select(weight));
    }

    /** What each token says of it: (B, T, L). */
    Tensor tokenContributions(Batch texts, Tensor states, Optional<Tensor> tokens, LabelSelection some) {
        return torch.matmul(states, some.select(weight).t()).mul(attention(texts, states, tokens, some));
    }

    private Tensor attention(Batch texts, Tensor states, Optional<Tensor> tokens, LabelSelection some) {
        if (planted != null) {
            return planted.forward(texts, states, tokens, some);
        }
        if (learned != null) {
            return learned.forward(states, texts.mask(), some);
        }
        throw new IllegalStateException("there is no attention");
    }

    /** What was planted and goes on learning. */
    Optional<Layer> plantedLayer() {
        return planted == null ? Optional.empty() : planted.plantedLayer();
    }

    int bytesPerLabelAndToken() {
        return planted == null ? 0 : planted.bytesPerLabelAndToken();
    }

    void save(Path folder) {
        if (planted != null) {
            planted.save(folder);
        }
    }

    void load(Path folder) {
        if (planted != null) {
            planted.load(folder);
        }
    }
}
