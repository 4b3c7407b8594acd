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
 * PLANT exactly as in the paper, y_l = Σ_h ((Aᵀ H + Sᵀ H + Pᵀ H) ⊙ W)_lh + b_l, with a (B, L, H) tensor per source, all
 * labels at once, and autograd. Encoder, ranker and loss are those of {@link Plant}, with which it is compared.
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

    /** Uses the sizes of the configuration, and all three sources. */
    public ReferencePlantBenchmark(
            Plant.Config config,
            int vocabularySize,
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
        encoder = submodule("encoder", config.encoder().build(vocabularySize, compute));
        dropout = new Dropout(config.dropout());
        double deviation = config.initialDeviation();
        learned = submodule("attention", new LabelAttention(labels, encoder.hiddenSize(), deviation, compute));
        fixed = new StaticAttention(relevance, vocabularySize, compute);
        ranker = submodule("ranker", new RankModel(config.ranker(), vocabularySize, labels, compute));
        weight = parameter("head.weight", compute, Init.normal(deviation), labels, encoder.hiddenSize());
        bias = parameter("head.bias", compute, Init.constant(config.initialBias()), labels);
    }

    /** Logits (B, L). */
    Tensor logits(Batch batch) {
        Tensor hiddenStates =
                dropout.forward(encoder.forward(batch, EncoderState.EMPTY).hiddenStates(), batch);
        Tensor a = learned.forward(hiddenStates, batch.mask(), LabelSelection.ALL);
        Tensor s = fixed.forward(batch, LabelSelection.ALL);
        Tensor scores = ranker.score(ranker.encodeTokens(batch.tokens()), LabelSelection.ALL);
        Tensor p = LabelAttention.maskedSoftmax(scores, batch.mask());
        Tensor views = pooled(a, hiddenStates).add(pooled(s, hiddenStates)).add(pooled(p, hiddenStates)); // (B, L, H)
        return views.mul(weight).sum(-1L).add(bias).to(torch.ScalarType.Float);
    }

    /** Attention (B, T, L) applied to hidden states (B, T, H): (B, L, H). */
    private static Tensor pooled(Tensor attention, Tensor hiddenStates) {
        return attention.transpose(1, 2).matmul(hiddenStates);
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
