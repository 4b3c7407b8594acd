package org.plant4j.model.plant;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
 * Planted logits with an analytic backward pass. With token logits v_j = h_j · w and attention a = softmax(s), a
 * label's logit is y = Σ_j a_j v_j, where the softmax may cover null tokens with score and value 0. If g is the gradient of the loss with respect to y, the others are
 *
 * <pre>  dL/dv_j = g a_j        dL/ds_j = g a_j (v_j - y)  </pre>
 *
 * Both need only tensors of the forward pass. Autograd would keep and traverse three times as many tensors of size (B,
 * T, L); it handles only the matrix products that compute v and s. Static weights are sparse and never become a dense
 * tensor.
 */
final class PlantedLogits implements DecodedLogits {

    private final Compute compute;
    private final int nullTokens;
    private final Tensor tokenLogits; // v: (B, T, L)
    private final List<SoftmaxSource> softmaxSources;
    private final Optional<StaticSource> staticSource;
    private final Tensor logits; // (B, L); autograd records the scales

    /** One source: the scores s, recorded by autograd, their softmax a, the logits y, and the scale. */
    private record SoftmaxSource(Tensor scores, Tensor weights, Tensor logits, Tensor scale) {}

    private record StaticSource(StaticAttention.SparseAttention sparse, Tensor logits, Tensor scale) {}

    /**
     * The sources of a batch, null if not used. Scores are overwritten. Static attention has weights or, in predictions, which
     * need no backward pass, logits (B, L).
     */
    record Sources(
            @Nullable Tensor learnedScores,
            StaticAttention.@Nullable SparseAttention staticWeights,
            @Nullable Tensor staticLogits,
            @Nullable Tensor rankerScores) {}

    PlantedLogits(
            Compute compute, Batch batch, Tensor tokenLogits, Sources sources, AttentionScales scales, int nullTokens) {
        this.compute = compute;
        this.nullTokens = nullTokens;
        this.tokenLogits = tokenLogits;
        this.softmaxSources = new ArrayList<>();
        Tensor[] logitsBySource = new Tensor[3];
        try (Compute.Autocast uncast = compute.withoutAutocast()) {
            try (NoGradGuard noGrad = new NoGradGuard()) {
                logitsBySource[0] = attend(batch, sources.learnedScores, scales.value(0));
                logitsBySource[2] = attend(batch, sources.rankerScores, scales.value(2));
                this.staticSource =
                        Optional.ofNullable(sources.staticWeights).map(sparse -> gather(sparse, scales.value(1)));
                logitsBySource[1] = staticSource.map(StaticSource::logits).orElse(sources.staticLogits);
            }
            this.logits = Arrays.stream(logitsBySource).allMatch(Objects::isNull)
                    ? torch.zeros(new long[] {tokenLogits.size(0), tokenLogits.size(2)}, compute.floatOptions())
                    : scales.weightedSum(logitsBySource);
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
        Optional<Tensor> highestScores =
                nullTokens == 0 ? Optional.empty() : Optional.of(LabelAttention.highest(weights));
        torch.softmax_out(weights, weights, 1); // in place: each element is read before it is written
        highestScores.ifPresent(highest -> weights.mul_(LabelAttention.tokenShare(highest, weights, nullTokens)));
        try (Tensor weighted = weights.mul(tokenLogits)) {
            Tensor sum = weighted.sum(new long[] {1}, false, new ScalarTypeOptional(torch.ScalarType.Float));
            softmaxSources.add(new SoftmaxSource(scores, weights, sum, scale));
            return sum;
        }
    }

    private StaticSource gather(StaticAttention.SparseAttention sparse, Tensor scale) {
        Tensor weighted = tokenLogits
                .view(-1)
                .index_select(0, sparse.slots())
                .to(torch.ScalarType.Float)
                .mul_(sparse.weights());
        Tensor sum = torch.zeros(new long[] {tokenLogits.size(0) * tokenLogits.size(2)}, compute.floatOptions())
                .index_add_(0, sparse.rows(), weighted)
                .view(tokenLogits.size(0), tokenLogits.size(2));
        return new StaticSource(sparse, sum, scale);
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
            Tensor gradientOfTokenLogits = null;
            for (SoftmaxSource attention : softmaxSources) {
                Tensor g = gradient.mul(attention.scale); // (B, L)
                Tensor perToken = broadcastOverTokens(g);
                gradientOfTokenLogits = gradientOfTokenLogits == null
                        ? attention.weights.mul(perToken)
                        : gradientOfTokenLogits.addcmul_(attention.weights, perToken);
                tensors.add(attention.scores);
                gradients.add(torch.addcmul(
                                broadcastOverTokens(g.mul(attention.logits).neg_()), tokenLogits, perToken)
                        .mul_(attention.weights));
            }
            tensors.add(tokenLogits);
            gradients.add(addStaticGradient(
                    gradientOfTokenLogits == null ? torch.zeros_like(tokenLogits) : gradientOfTokenLogits, gradient));
        }
        tensors.add(logits);
        gradients.add(gradient);
        Gradients.backward(tensors, gradients);
    }

    /** (B, L) as (B, 1, L) in the precision of the token logits. */
    private Tensor broadcastOverTokens(Tensor g) {
        return g.to(tokenLogits.scalar_type()).unsqueeze(1);
    }

    private Tensor addStaticGradient(Tensor gradientOfTokenLogits, Tensor gradient) {
        staticSource.ifPresent(source -> {
            StaticAttention.SparseAttention sparse = source.sparse;
            Tensor flat = gradientOfTokenLogits.view(-1);
            Tensor staticGradient = gradient.mul(source.scale)
                    .flatten()
                    .index_select(0, sparse.rows())
                    .mul_(sparse.weights());
            flat.scatter_(
                    0, sparse.slots(), flat.index_select(0, sparse.slots()).add_(staticGradient));
        });
        return gradientOfTokenLogits;
    }
}
