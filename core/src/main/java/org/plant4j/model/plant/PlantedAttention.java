package org.plant4j.model.plant;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.Layer;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Where labels look. Three sources are added, each with a scale: A, learned from nothing; S, the mutual information of
 * token and label as it is; P, the ranker's scores over the text, which go on learning.
 */
public final class PlantedAttention extends Layer {

    static final String RELEVANCE = "relevance.bin";

    private final PlantedConfig config;
    private final int vocabulary;
    private final Compute compute;
    private final @Nullable LabelAttention labelAttention;
    private @Nullable StaticAttention staticAttention;
    private final @Nullable RankModel ranker;
    private final AttentionScales scales;

    /** Over states of {@code size} numbers. */
    public PlantedAttention(
            PlantedConfig config, int vocabulary, int labels, int size, double deviation, Compute compute) {
        this.config = config;
        this.vocabulary = vocabulary;
        this.compute = compute;
        labelAttention =
                config.learned() ? submodule("attention", new LabelAttention(labels, size, deviation, compute)) : null;
        ranker = config.differentiable()
                ? submodule("ranker", new RankModel(config.ranker(), vocabulary, labels, compute))
                : null;
        scales = submodule("scales", new AttentionScales(config.scales(), compute));
    }

    public void plant(Relevance relevance, Optional<RankModel> trained) {
        setRelevance(relevance);
        if (ranker != null) {
            Map<String, Tensor> from = trained.orElseThrow().parameters();
            try (NoGradGuard noGrad = new NoGradGuard()) {
                ranker.parameters().forEach((name, weights) -> weights.copy_(from.get(name)));
            }
        }
    }

    private void setRelevance(Relevance relevance) {
        closeStaticAttention();
        if (config.fixed()) {
            staticAttention = new StaticAttention(relevance, vocabulary, compute);
        }
    }

    private void closeStaticAttention() {
        if (staticAttention != null) {
            staticAttention.close();
            staticAttention = null;
        }
    }

    /** What the ranker knows of tokens, the same for all labels; nothing where there is none. */
    public Optional<Tensor> tokenFeatures(Batch texts) {
        return Optional.ofNullable(ranker).map(ranks -> ranks.encodeTokens(texts.tokens()));
    }

    /** A + S + P of texts, their states (B, T, H) and what {@link #tokenFeatures} gave: (B, T, L). */
    public Tensor forward(Batch texts, Tensor states, Optional<Tensor> tokens, LabelSelection some) {
        Tensor[] sources = new Tensor[3];
        if (labelAttention != null) {
            sources[0] = labelAttention.forward(states, texts.mask(), some);
        }
        if (staticAttention != null) {
            sources[1] = staticAttention.forward(texts, some);
        }
        if (ranker != null) {
            Tensor scores = ranker.score(tokens.orElseThrow(), some);
            sources[2] = config.inattention().distribution(scores, texts.mask(), config.keep());
        }
        return scales.weightedSum(sources);
    }

    /** The logits of these sources where tokens say {@code votes} (B, T, L), and the shortest way back from them. */
    PlantedLogits logits(Batch texts, Tensor states, Optional<Tensor> tokens, LabelSelection some, Tensor votes) {
        Tensor own = null;
        Tensor ranked = null;
        try (Compute.Autocast autocast = compute.autocast()) {
            if (labelAttention != null) {
                own = labelAttention.scores(states, some);
            }
            if (ranker != null) {
                Tensor scores = ranker.score(tokens.orElseThrow(), some);
                ranked = config.inattention().threshold(scores, texts.mask(), config.keep());
            }
        }
        StaticAttention.SparseAttention told = staticAttention == null
                ? null
                : staticAttention.sparse(texts, some).orElse(null);
        return new PlantedLogits(compute, texts, votes, new PlantedLogits.Sources(own, told, ranked), scales);
    }

    /** What was planted and goes on learning. */
    public Optional<Layer> plantedLayer() {
        return Optional.ofNullable(ranker);
    }

    /** Bytes held for each label and token. */
    public int bytesPerLabelAndToken() {
        return 28 + (ranker == null ? 0 : ranker.bytesPerScore());
    }

    /** What is no parameter. */
    public void save(Path folder) {
        if (staticAttention != null) {
            staticAttention.relevance().write(folder.resolve(RELEVANCE));
        }
    }

    public void load(Path folder) {
        if (config.fixed()) {
            setRelevance(Relevance.read(folder.resolve(RELEVANCE)));
        }
    }

    @Override
    public void close() {
        super.close();
        closeStaticAttention();
    }
}
