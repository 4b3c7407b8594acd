package org.plant4j.model.plant;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.jspecify.annotations.Nullable;
import org.plant4j.Precision;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.LabelAttention;
import org.plant4j.layer.LabelHead;
import org.plant4j.layer.Layer;
import org.plant4j.layer.ReducedRows;
import org.plant4j.model.DecodedLogits;
import org.plant4j.model.Shortlist;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Attention of labels over tokens as the scaled sum of three sources: A, learned from random weights; S, the static mutual
 * information of token and label; P, the softmax of the ranker's scores, which are trained further.
 */
public final class PlantedAttention extends Layer {

    static final String RELEVANCE = "relevance.bin";

    private final PlantedConfig config;
    private final int vocabularySize;
    private final int labels;
    private final Compute compute;
    private final @Nullable LabelAttention labelAttention;
    private @Nullable StaticAttention staticAttention;
    private @Nullable PlantedShortlist shortlist; // built when first used
    private @Nullable ReducedRows reducedQueries; // built when first used
    private final @Nullable RankModel ranker;
    private final AttentionScales scales;

    /** {@code size} is that of the hidden states. */
    public PlantedAttention(
            PlantedConfig config, int vocabularySize, int labels, int size, double deviation, Compute compute) {
        this.config = config;
        this.vocabularySize = vocabularySize;
        this.labels = labels;
        this.compute = compute;
        labelAttention = config.learned()
                ? submodule("attention", new LabelAttention(labels, size, deviation, config.nullTokens(), compute))
                : null;
        ranker = config.differentiable()
                ? submodule("ranker", new RankModel(config.ranker(), vocabularySize, labels, compute))
                : null;
        scales = submodule("scales", new AttentionScales(config.scales(), compute));
    }

    /** Without a trained ranker, its weights stay as they are: they come from a run that training starts from. */
    public void plant(Relevance relevance, Optional<RankModel> trained) {
        setRelevance(relevance);
        if (ranker != null && trained.isPresent()) {
            Map<String, Tensor> from = trained.get().parameters();
            try (NoGradGuard noGrad = new NoGradGuard()) {
                ranker.parameters().forEach((name, weights) -> weights.copy_(from.get(name)));
            }
        }
    }

    private void setRelevance(Relevance relevance) {
        closeStaticAttention();
        if (config.fixed()) {
            staticAttention = new StaticAttention(relevance, vocabularySize, config.staticWeights(), compute);
        }
    }

    private void closeStaticAttention() {
        if (staticAttention != null) {
            staticAttention.close();
            staticAttention = null;
            shortlist = null;
        }
    }

    /** Proposes labels by the planted mutual information; empty if it is not one of the sources. */
    synchronized Optional<Shortlist> proposals() {
        if (shortlist == null && staticAttention != null) {
            shortlist = new PlantedShortlist(staticAttention.relevance(), vocabularySize);
        }
        return Optional.ofNullable(shortlist);
    }

    /** The ranker's features of the tokens, which are the same for all labels; empty without a ranker. */
    public Optional<Tensor> tokenFeatures(Batch batch) {
        return Optional.ofNullable(ranker).map(model -> model.encodeTokens(batch.tokens()));
    }

    /** A + S + P as (B, T, L), from hidden states (B, T, H) and the result of {@link #tokenFeatures}. */
    public Tensor forward(Batch batch, Tensor hiddenStates, Optional<Tensor> tokens, LabelSelection labelRange) {
        Tensor[] sources = new Tensor[3];
        if (labelAttention != null) {
            sources[0] = labelAttention.forward(hiddenStates, batch.mask(), labelRange);
        }
        if (staticAttention != null) {
            sources[1] = staticAttention.forward(batch, labelRange);
        }
        if (ranker != null) {
            Tensor scores = ranker.score(tokens.orElseThrow(), labelRange);
            sources[2] = config.inattention().distribution(scores, batch.mask(), config.keep(), config.nullTokens());
        }
        return scales.weightedSum(sources);
    }

    /** Logits of {@code tokenLogits} (B, T, L) under these sources, with a backward pass cheaper than autograd's. */
    DecodedLogits logits(
            Batch batch, Tensor hiddenStates, Optional<Tensor> tokens, LabelSelection labelRange, Tensor tokenLogits) {
        Tensor learnedScores = null;
        if (labelAttention != null) {
            try (Compute.Autocast autocast = compute.autocast()) {
                learnedScores = labelAttention.scores(hiddenStates, labelRange);
            }
        }
        return combine(batch, learnedScores, tokens, labelRange, tokenLogits);
    }

    /** The same with approximate scores of the learned attention, which cost less. */
    DecodedLogits approximateLogits(
            Batch batch, Tensor hiddenStates, Optional<Tensor> tokens, LabelSelection labelRange, Tensor tokenLogits) {
        Tensor learnedScores = null;
        if (labelAttention != null) {
            try (Compute.Autocast autocast = compute.autocast()) {
                learnedScores = reducedQueries(labelAttention).products(hiddenStates, labelRange);
            }
        }
        return combine(batch, learnedScores, tokens, labelRange, tokenLogits);
    }

    /** Whether all sources are products, as {@link ApproximateLogits} require, on a CPU. */
    boolean supportsApproximateLogits() {
        boolean products = ranker == null || config.ranker().scorer() == RankModel.Scorer.DOT;
        return !compute.cuda() && products && config.inattention() == Inattention.NONE;
    }

    /** Approximate logits of all labels with the weights of {@code head}. */
    ApproximateLogits approximateLogits(LabelHead head) {
        List<ApproximateLogits.Source> sources = new ArrayList<>();
        if (labelAttention != null) {
            sources.add(new ApproximateLogits.Source(
                    labelAttention.reducedQueries(ApproximateLogits.QUERY_SIZE), false, 0));
        }
        if (ranker != null) {
            sources.add(new ApproximateLogits.Source(ranker.reducedLabels(ApproximateLogits.QUERY_SIZE), true, 2));
        }
        return new ApproximateLogits(
                sources,
                head.reducedWeights(ApproximateLogits.WEIGHT_SIZE),
                staticAttention,
                scales,
                config.nullTokens(),
                compute,
                ApproximateLogits.Products.ofThisCpu());
    }

    private synchronized ReducedRows reducedQueries(LabelAttention attention) {
        if (reducedQueries == null) {
            reducedQueries = attention.reducedQueries(Plant.REDUCED_SIZE);
        }
        return reducedQueries;
    }

    private DecodedLogits combine(
            Batch batch,
            @Nullable Tensor learnedScores,
            Optional<Tensor> tokens,
            LabelSelection labelRange,
            Tensor tokenLogits) {
        Tensor rankerScores = null;
        try (Compute.Autocast autocast = compute.autocast()) {
            if (ranker != null) {
                Tensor scores = ranker.score(tokens.orElseThrow(), labelRange);
                rankerScores = config.inattention().threshold(scores, batch.mask(), config.keep());
            }
        }
        // The kernels normalize static attention.
        boolean normalized = config.staticWeights() == StaticAttention.Weights.NORMALIZED;
        if (normalized && PlantedKernels.support(compute, labelRange)) {
            Optional<DecodedLogits> fused = FusedPlantedLogits.of(
                    compute,
                    batch,
                    tokenLogits,
                    FusedPlantedLogits.Sources.of(
                            labelRange,
                            labels,
                            learnedScores,
                            staticAttention == null ? null : staticAttention.table(),
                            rankerScores),
                    scales,
                    config.nullTokens());
            if (fused.isPresent()) {
                return fused.get();
            }
        }
        Tensor staticLogits = staticAttention == null
                ? null
                : staticAttention.logits(batch, labelRange, tokenLogits).orElse(null);
        StaticAttention.SparseAttention staticWeights = staticAttention == null || staticLogits != null
                ? null
                : staticAttention.sparse(batch, labelRange).orElse(null);
        return new PlantedLogits(
                compute,
                batch,
                tokenLogits,
                new PlantedLogits.Sources(learnedScores, staticWeights, staticLogits, rankerScores),
                scales,
                config.nullTokens());
    }

    /** The ranker, which is trained further. */
    public Optional<Layer> plantedLayer() {
        return Optional.ofNullable(ranker);
    }

    /** Memory per label and token while labels are decoded. */
    public int bytesPerLabelAndToken() {
        return 28 + (ranker == null ? 0 : ranker.bytesPerScore());
    }

    /** The same for all labels or a label range: kernels keep token logits and scores only. */
    public int rangeBytesPerLabelAndToken() {
        if (!PlantedKernels.enabled(compute) || config.staticWeights() != StaticAttention.Weights.NORMALIZED) {
            return bytesPerLabelAndToken();
        }
        int element = compute.precision() == Precision.BFLOAT16 ? Short.BYTES : Float.BYTES;
        int inattention = config.inattention() == Inattention.NONE ? 0 : 3 * Float.BYTES;
        boolean dot = config.ranker().scorer() == RankModel.Scorer.DOT;
        int scorer = ranker == null || dot ? 0 : ranker.bytesPerScore();
        return 3 * element + inattention + scorer;
    }

    /** Writes the relevance, which is not a parameter. */
    public void save(Path directory) {
        if (staticAttention != null) {
            staticAttention.relevance().write(directory.resolve(RELEVANCE));
        }
    }

    public void load(Path directory) {
        if (config.fixed()) {
            setRelevance(Relevance.read(directory.resolve(RELEVANCE)));
        }
    }

    @Override
    public void close() {
        super.close();
        closeStaticAttention();
        if (reducedQueries != null) {
            reducedQueries.close();
        }
    }
}
