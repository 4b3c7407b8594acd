package org.plant4j.bench;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.encoder.Encoder;
import org.plant4j.encoder.EncoderState;
import org.plant4j.layer.Dropout;
import org.plant4j.layer.Init;
import org.plant4j.layer.LabelAttention;
import org.plant4j.model.plant.Inattention;
import org.plant4j.model.plant.Plant;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.rank.StaticAttention;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * The equations of PLANT's paper as they stand, y_l = Σ_h ((Aᵀ H + Sᵀ H + Pᵀ H) ⊙ W)_lh + b_l: a (B, L, H) view of the
 * document for each source, all labels and the whole graph at once. It learns as {@link Plant} does, from the same
 * encoder, ranker and loss, and is there to be measured beside it.
 */
public final class ReferencePlantBenchmark extends BenchmarkObjective {

    private static final long SUM = 2; // at::Reduction::Sum

    private final int labels;
    private final Encoder encoder;
    private final Dropout dropout;
    private final LabelAttention learned;
    private final StaticAttention fixed;
    private final RankModel ranker;
    private final Tensor weight; // (L, H)
    private final Tensor bias; // (L)

    /** Of the configuration it takes the sizes; every source is there, and no token is left out. */
    public ReferencePlantBenchmark(
            Plant.Config config,
            int vocabulary,
            Relevance relevance,
            Batches batches,
            Compute compute,
            double learningRate,
            double weightDecay) {
        super(batches, compute, learningRate, weightDecay);
        Arguments.check(!config.lexical(), "lexical", true, "false");
        Arguments.check(
                config.inattention() == Inattention.NONE, "inattention", config.inattention(), Inattention.NONE.name());
        Arguments.check(config.segment() == 0, "segment", config.segment(), "0");
        this.labels = relevance.labels();
        encoder = submodule("encoder", config.encoder().build(vocabulary, compute));
        dropout = new Dropout(config.dropout());
        double deviation = config.initialDeviation();
        learned = submodule("attention", new LabelAttention(labels, encoder.hiddenSize(), deviation, compute));
        fixed = new StaticAttention(relevance, vocabulary, compute);
        ranker = submodule("ranker", new RankModel(config.ranker(), vocabulary, labels, compute));
        weight = parameter("head.weight", compute, Init.normal(deviation), labels, encoder.hiddenSize());
        bias = parameter("head.bias", compute, Init.constant(config.initialBias()), labels);
    }

    /** Logits (B, L). */
    Tensor logits(Batch batch) {
        Tensor states =
                dropout.forward(encoder.forward(batch, EncoderState.EMPTY).hiddenStates(), batch);
        Tensor a = learned.forward(states, batch.mask(), LabelSelection.ALL);
        Tensor s = fixed.forward(batch, LabelSelection.ALL);
        Tensor scores = ranker.score(ranker.encodeTokens(batch.tokens()), LabelSelection.ALL);
        Tensor p = LabelAttention.maskedSoftmax(scores, batch.mask());
        Tensor views = pooled(a, states).add(pooled(s, states)).add(pooled(p, states)); // (B, L, H)
        return views.mul(weight).sum(-1L).add(bias).to(torch.ScalarType.Float);
    }

    /** Attention (B, T, L) on states (B, T, H). */
    private static Tensor pooled(Tensor attention, Tensor states) {
        return attention.transpose(1, 2).matmul(states);
    }

    @Override
    public Tensor trainingStep(int[] documents) {
        Batch batch = load(documents);
        Tensor targets = batches.targets(documents, labels, compute);
        TensorOptional none = new TensorOptional();
        return compute.backward(() -> torch.binary_cross_entropy_with_logits(logits(batch), targets, none, none, SUM)
                .div(new Scalar((double) documents.length)));
    }

    @Override
    public void close() {
        super.close();
        fixed.close();
    }
}
