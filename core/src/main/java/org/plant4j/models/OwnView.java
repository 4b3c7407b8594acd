package org.plant4j.models;

import java.nio.file.Path;
import java.util.Optional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Init;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.LabelHead;
import org.plant4j.nn.Layer;
import org.plant4j.nn.SomeLabels;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;

/** Each label's own look at a text, Σ_j a_jl (h_j · w_l): learned from nothing, or planted as PLANT's is. */
final class OwnView extends Layer {

    private final @Nullable LabelAttention learned;
    private final @Nullable PlantedAttention planted;
    private final Tensor weight; // (L, H)

    /** Over states of {@code size} numbers. */
    OwnView(Optional<PlantedConfig> planting, int vocabulary, int labels, int size, double deviation, Compute compute) {
        planted = planting.map(
                        config -> part("", new PlantedAttention(config, vocabulary, labels, size, deviation, compute)))
                .orElse(null);
        learned = planted == null ? part("attention", new LabelAttention(labels, size, deviation, compute)) : null;
        weight = parameter("weight", compute, Init.normal(deviation), labels, size);
    }

    void plant(Relevance relevance, Optional<RankModel> ranker) {
        if (planted != null) {
            planted.plant(relevance, ranker);
        }
    }

    /** What a ranker knows of tokens, the same for all labels. */
    Optional<Tensor> tokens(Batch texts) {
        return planted == null ? Optional.empty() : planted.tokens(texts);
    }

    /** Of texts, their states (B, T, H) and what {@link #tokens} gave: (B, L). */
    Tensor forward(Batch texts, Tensor states, Optional<Tensor> tokens, SomeLabels some) {
        return LabelHead.said(states, attention(texts, states, tokens, some), some.of(weight));
    }

    /** What each token says of it: (B, T, L). */
    Tensor byToken(Batch texts, Tensor states, Optional<Tensor> tokens, SomeLabels some) {
        return torch.matmul(states, some.of(weight).t()).mul(attention(texts, states, tokens, some));
    }

    private Tensor attention(Batch texts, Tensor states, Optional<Tensor> tokens, SomeLabels some) {
        if (planted != null) {
            return planted.forward(texts, states, tokens, some);
        }
        if (learned != null) {
            return learned.forward(states, texts.mask(), some);
        }
        throw new IllegalStateException("there is no attention");
    }

    /** What was planted and goes on learning. */
    Optional<Layer> planted() {
        return planted == null ? Optional.empty() : planted.planted();
    }

    int bytesAtOnce() {
        return planted == null ? 0 : planted.bytesAtOnce();
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
