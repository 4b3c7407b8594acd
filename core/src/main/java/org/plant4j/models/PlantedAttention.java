package org.plant4j.models;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.Layer;
import org.plant4j.nn.Scales;
import org.plant4j.nn.SomeLabels;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;

/**
 * Where labels look. Three sources are added, each with a scale: A, learned from nothing; S, the mutual information of
 * token and label as it is; P, the ranker's scores over the text, which go on learning.
 */
final class PlantedAttention extends Layer {

    static final String RELEVANCE = "relevance.bin";

    private final PlantedConfig config;
    private final int vocabulary;
    private final Compute compute;
    private final @Nullable LabelAttention learned;
    private @Nullable StaticAttention fixed;
    private final @Nullable RankModel ranker;
    private final Scales scales;

    /** Over states of {@code size} numbers. */
    PlantedAttention(PlantedConfig config, int vocabulary, int labels, int size, double deviation, Compute compute) {
        this.config = config;
        this.vocabulary = vocabulary;
        this.compute = compute;
        learned = config.learned() ? part("attention", new LabelAttention(labels, size, deviation, compute)) : null;
        ranker = config.differentiable()
                ? part("ranker", new RankModel(config.ranker(), vocabulary, labels, compute))
                : null;
        scales = part("scales", new Scales(config.scales(), compute));
    }

    void plant(Relevance relevance, Optional<RankModel> trained) {
        attendTo(relevance);
        if (ranker != null) {
            Map<String, Tensor> from = trained.orElseThrow().parameters();
            try (NoGradGuard noGrad = new NoGradGuard()) {
                ranker.parameters().forEach((name, weights) -> weights.copy_(from.get(name)));
            }
        }
    }

    private void attendTo(Relevance relevance) {
        forget();
        if (config.fixed()) {
            fixed = new StaticAttention(relevance, vocabulary, compute);
        }
    }

    private void forget() {
        if (fixed != null) {
            fixed.close();
            fixed = null;
        }
    }

    /** What the ranker knows of tokens, the same for all labels; nothing where there is none. */
    Optional<Tensor> tokens(Batch texts) {
        return Optional.ofNullable(ranker).map(ranks -> ranks.tokens(texts.tokens()));
    }

    /** A + S + P of texts, their states (B, T, H) and what {@link #tokens} gave: (B, T, L). */
    Tensor forward(Batch texts, Tensor states, Optional<Tensor> tokens, SomeLabels some) {
        Tensor[] sources = new Tensor[3];
        if (learned != null) {
            sources[0] = learned.forward(states, texts.mask(), some);
        }
        if (fixed != null) {
            sources[1] = fixed.forward(texts, some);
        }
        if (ranker != null) {
            Tensor scores = ranker.score(tokens.orElseThrow(), some);
            sources[2] = config.inattention().distribution(scores, texts.mask(), config.keep());
        }
        return scales.sum(sources);
    }

    /** The logits of these sources where tokens say {@code votes} (B, T, L), and the shortest way back from them. */
    PlantedLogits logits(Batch texts, Tensor states, Optional<Tensor> tokens, SomeLabels some, Tensor votes) {
        Tensor own = null;
        Tensor ranked = null;
        try (Compute.Autocast autocast = compute.autocast()) {
            if (learned != null) {
                own = learned.scores(states, some);
            }
            if (ranker != null) {
                Tensor scores = ranker.score(tokens.orElseThrow(), some);
                ranked = config.inattention().threshold(scores, texts.mask(), config.keep());
            }
        }
        StaticAttention.Sparse told =
                fixed == null ? null : fixed.sparse(texts, some).orElse(null);
        return new PlantedLogits(compute, texts, votes, new PlantedLogits.Sources(own, told, ranked), scales);
    }

    /** What was planted and goes on learning. */
    Optional<Layer> planted() {
        return Optional.ofNullable(ranker);
    }

    /** Bytes held for each label and token. */
    int bytesAtOnce() {
        return 28 + (ranker == null ? 0 : ranker.bytesPerScore());
    }

    /** What is no parameter. */
    void save(Path folder) {
        if (fixed != null) {
            fixed.relevance().write(folder.resolve(RELEVANCE));
        }
    }

    void load(Path folder) {
        if (config.fixed()) {
            attendTo(Relevance.read(folder.resolve(RELEVANCE)));
        }
    }

    @Override
    public void close() {
        super.close();
        forget();
    }
}
