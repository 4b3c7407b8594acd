package org.plant4j.models;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Compute;
import org.plant4j.nn.LabelAttention;
import org.plant4j.nn.Scales;
import org.plant4j.rank.StaticAttention;

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
final class PlantedLogits implements Decoded {

    private final Compute compute;
    private final Tensor votes; // v: (B, T, L)
    private final List<Attention> attentions;
    private final Optional<Fixed> fixed;
    private final Tensor logits; // (B, L), recorded as far back as the scales

    /** Scores s as autograd knows them, their softmax a, and y; all of one source. */
    private record Attention(Tensor scores, Tensor weights, Tensor logits, Tensor scale) {}

    private record Fixed(StaticAttention.Sparse sparse, Tensor logits, Tensor scale) {}

    /** What is planted or learned for a batch; a source that is not there is null. Scores are overwritten. */
    record Sources(
            @Nullable Tensor learned,
            StaticAttention.@Nullable Sparse fixed,
            @Nullable Tensor ranked) {}

    PlantedLogits(Compute compute, Batch batch, Tensor votes, Sources sources, Scales scales) {
        this.compute = compute;
        this.votes = votes;
        this.attentions = new ArrayList<>();
        Tensor[] each = new Tensor[3];
        try (Compute.Autocast uncast = compute.uncast()) {
            try (NoGradGuard noGrad = new NoGradGuard()) {
                each[0] = attend(batch, sources.learned, scales.of(0));
                each[2] = attend(batch, sources.ranked, scales.of(2));
                this.fixed = Optional.ofNullable(sources.fixed).map(sparse -> gather(sparse, scales.of(1)));
                each[1] = fixed.map(Fixed::logits).orElse(null);
            }
            this.logits = attentions.isEmpty() && fixed.isEmpty()
                    ? torch.zeros(
                            new long[] {votes.size(0), votes.size(2)}, compute.floats()) // no token tells of a label
                    : scales.sum(each);
        }
    }

    private @Nullable Tensor attend(Batch batch, @Nullable Tensor scores, Tensor scale) {
        if (scores == null) {
            return null;
        }
        Tensor weights = scores.detach();
        if (batch.isPadded()) {
            weights.masked_fill_(batch.mask().logical_not().unsqueeze(-1), new Scalar(LabelAttention.NEVER));
        }
        torch.softmax_out(weights, weights, 1); // each number is read before it is written, and not again
        try (Tensor said = weights.mul(votes)) {
            Tensor view = said.sum(new long[] {1}, false, new ScalarTypeOptional(torch.ScalarType.Float));
            attentions.add(new Attention(scores, weights, view, scale));
            return view;
        }
    }

    private Fixed gather(StaticAttention.Sparse sparse, Tensor scale) {
        Tensor said = votes.view(-1)
                .index_select(0, sparse.slots())
                .to(torch.ScalarType.Float)
                .mul_(sparse.weights());
        Tensor view = torch.zeros(new long[] {votes.size(0) * votes.size(2)}, compute.floats())
                .index_add_(0, sparse.rows(), said)
                .view(votes.size(0), votes.size(2));
        return new Fixed(sparse, view, scale);
    }

    @Override
    public Tensor logits() {
        return logits;
    }

    @Override
    public void backward(Tensor gradient) {
        List<Tensor> tensors = new ArrayList<>();
        List<Tensor> gradients = new ArrayList<>();
        try (Compute.Autocast uncast = compute.uncast();
                NoGradGuard noGrad = new NoGradGuard()) {
            Tensor byVotes = null;
            for (Attention attention : attentions) {
                Tensor g = gradient.mul(attention.scale); // (B, L)
                Tensor each = each(g);
                byVotes = byVotes == null ? attention.weights.mul(each) : byVotes.addcmul_(attention.weights, each);
                tensors.add(attention.scores);
                gradients.add(torch.addcmul(each(g.mul(attention.logits).neg_()), votes, each)
                        .mul_(attention.weights));
            }
            tensors.add(votes);
            gradients.add(withFixed(byVotes == null ? torch.zeros_like(votes) : byVotes, gradient));
        }
        tensors.add(logits);
        gradients.add(gradient);
        Gradients.send(tensors, gradients);
    }

    /** (B, L) for every token, in the votes' precision. */
    private Tensor each(Tensor g) {
        return g.to(votes.scalar_type()).unsqueeze(1);
    }

    private Tensor withFixed(Tensor byVotes, Tensor gradient) {
        fixed.ifPresent(known -> {
            StaticAttention.Sparse sparse = known.sparse;
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
