package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.layer.AttentionScales;
import org.plant4j.layer.LabelAttention;
import org.plant4j.model.DecodedLogits;
import org.plant4j.rank.StaticAttention;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;
import org.plant4j.train.Gradients;

/**
 * Planted logits and their gradient, worked out by hand. Where v_j = h_j · w is what token j says for a label, an attention
 * a = softmax(s) gives the logit y = Σ_j a_j v_j, and for the loss' gradient g by y
 *
 * <pre>  by v_j:  g a_j        by s_j:  g a_j (v_j - y)  </pre>
 *
 * Both take only what the way forward had anyway. Autograd would keep and pass over three times as many tensors with a
 * number for each document, token and label; what is left to it are the products that made v and s. Static weights are
 * few: they are gathered where they are, and never laid out.
 */
public final class PlantedLogits implements DecodedLogits {

    private final Compute compute;
    private final Tensor tokenLogits; // v: (B, T, L)
    private final List<SoftmaxSource> softmaxSources;
    private final Optional<StaticSource> staticSource;
    private final Tensor logits; // (B, L), recorded as far back as the scales

    /** Scores s as autograd knows them, their softmax a, and y; all of one source. */
    private record SoftmaxSource(Tensor scores, Tensor weights, Tensor logits, Tensor scale) {}

    private record StaticSource(StaticAttention.SparseAttention sparse, Tensor logits, Tensor scale) {}

    /** What is planted or learned for a batch; a source that is not there is null. Scores are overwritten. */
    public record Sources(
            @Nullable Tensor learnedScores,
            StaticAttention.@Nullable SparseAttention staticWeights,
            @Nullable Tensor rankerScores) {}

    PlantedLogits(Compute compute, Batch batch, Tensor votes, Sources sources, AttentionScales scales) {
        this.compute = compute;
        this.tokenLogits = votes;
        this.softmaxSources = new ArrayList<>();
        Tensor[] each = new Tensor[3];
        try (Compute.Autocast uncast = compute.withoutAutocast()) {
            try (NoGradGuard noGrad = new NoGradGuard()) {
                each[0] = attend(batch, sources.learnedScores, scales.value(0));
                each[2] = attend(batch, sources.rankerScores, scales.value(2));
                this.staticSource =
                        Optional.ofNullable(sources.staticWeights).map(sparse -> gather(sparse, scales.value(1)));
                each[1] = staticSource.map(StaticSource::logits).orElse(null);
            }
            this.logits = softmaxSources.isEmpty() && staticSource.isEmpty()
                    ? torch.zeros(
                            new long[] {votes.size(0), votes.size(2)},
                            compute.floatOptions()) // no token tells of a label
                    : scales.weightedSum(each);
        }
    }

    private @Nullable Tensor attend(Batch batch, @Nullable Tensor scores, Tensor scale) {
        if (scores == null) {
            return null;
        }
        Tensor weights = scores.detach();
        if (batch.isPadded()) {
            weights.masked_fill_(batch.mask().logical_not().unsqueeze(-1), new Scalar(LabelAttention.MASKED_SCORE));
        }
        torch.softmax_out(weights, weights, 1); // each number is read before it is written, and not again
        try (Tensor said = weights.mul(tokenLogits)) {
            Tensor view = said.sum(new long[] {1}, false, new ScalarTypeOptional(torch.ScalarType.Float));
            softmaxSources.add(new SoftmaxSource(scores, weights, view, scale));
            return view;
        }
    }

    private StaticSource gather(StaticAttention.SparseAttention sparse, Tensor scale) {
        Tensor said = tokenLogits
                .view(-1)
                .index_select(0, sparse.slots())
                .to(torch.ScalarType.Float)
                .mul_(sparse.weights());
        Tensor view = torch.zeros(new long[] {tokenLogits.size(0) * tokenLogits.size(2)}, compute.floatOptions())
                .index_add_(0, sparse.rows(), said)
                .view(tokenLogits.size(0), tokenLogits.size(2));
        return new StaticSource(sparse, view, scale);
    }

    @Override
    public Tensor logits() {
        return logits;
    }

    @Override
    public void backward(Tensor gradient) {
        List<Tensor> tensors = new ArrayList<>();
        List<Tensor> gradients = new ArrayList<>();
        try (Compute.Autocast uncast = compute.withoutAutocast();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor byVotes = null;
            for (SoftmaxSource attention : softmaxSources) {
                Tensor g = gradient.mul(attention.scale); // (B, L)
                Tensor each = broadcastOverTokens(g);
                byVotes = byVotes == null ? attention.weights.mul(each) : byVotes.addcmul_(attention.weights, each);
                tensors.add(attention.scores);
                gradients.add(torch.addcmul(
                                broadcastOverTokens(g.mul(attention.logits).neg_()), tokenLogits, each)
                        .mul_(attention.weights));
            }
            tensors.add(tokenLogits);
            gradients.add(addStaticGradient(byVotes == null ? torch.zeros_like(tokenLogits) : byVotes, gradient));
        }
        tensors.add(logits);
        gradients.add(gradient);
        Gradients.backward(tensors, gradients);
    }

    /** (B, L) for every token, in the votes' precision. */
    private Tensor broadcastOverTokens(Tensor g) {
        return g.to(tokenLogits.scalar_type()).unsqueeze(1);
    }

    private Tensor addStaticGradient(Tensor byVotes, Tensor gradient) {
        staticSource.ifPresent(known -> {
            StaticAttention.SparseAttention sparse = known.sparse;
            Tensor flat = byVotes.view(-1);
            Tensor more = gradient.mul(known.scale)
                    .flatten()
                    .index_select(0, sparse.rows())
                    .mul_(sparse.weights());
            flat.scatter_(
                    0, sparse.slots(), flat.index_select(0, sparse.slots()).add_(more));
        });
        return byVotes;
    }
}
