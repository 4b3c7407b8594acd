package org.plant4j.pretrain;

import java.util.function.Consumer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.text.Vocabulary;

/**
 * Cross-entropy over the vocabulary with an output layer that shares the token embedding, computed for a few tokens at a
 * time: {@link Compute#labelMemory} bounds the size of tensors (N, V). Padding is excluded, as logit and as target.
 */
final class TokenCrossEntropy {

    private static final long SUM = 2; // at::Reduction::Sum
    private static final int BYTES = 16; // per token and vocabulary entry: logits, log-probabilities and both gradients
    private static final int FIRST = Vocabulary.PADDING + 1;

    private final Tensor embedding; // (V, E)
    private final Tensor bias; // (V)
    private final Compute compute;

    TokenCrossEntropy(Tensor embedding, Tensor bias, Compute compute) {
        this.embedding = embedding;
        this.bias = bias;
        this.compute = compute;
    }

    /** The sum over all targets (N), given states (N, E). */
    Tensor loss(Tensor states, Tensor targets) {
        Tensor sum = torch.zeros(new long[] {}, compute.floatOptions());
        forEachChunk(
                states.size(0),
                chunk -> sum.add_(crossEntropy(
                        chunk.of(states), chunk.of(targets), withoutPadding(embedding), withoutPadding(bias))));
        return sum;
    }

    /**
     * The sum divided by {@code count}, plus a penalty. Gradients of both are propagated through the computation of the
     * states (N, E).
     */
    Tensor backward(Tensor states, Tensor targets, double count, Tensor penalty) {
        Tensor[] roots = {states, withoutPadding(embedding), withoutPadding(bias)};
        Tensor[] leaves = {leaf(roots[0]), leaf(roots[1]), leaf(roots[2])};
        Tensor loss = penalty.detach().clone();
        Scalar divisor = new Scalar(Math.max(1, count));
        forEachChunk(states.size(0), chunk -> {
            Tensor chunkLoss =
                    compute.backward(() -> crossEntropy(chunk.of(leaves[0]), chunk.of(targets), leaves[1], leaves[2])
                            .div(divisor));
            try (NoGradGuard noGrad = new NoGradGuard()) {
                loss.add_(chunkLoss);
            }
        });
        TensorVector outputs = new TensorVector(roots[0], roots[1], roots[2]);
        TensorVector gradients = new TensorVector(leaves[0].grad(), leaves[1].grad(), leaves[2].grad());
        if (penalty.requires_grad()) {
            outputs.push_back(penalty);
            gradients.push_back(torch.ones_like(penalty));
        }
        torch.backward(outputs, gradients, new BoolOptional(), false, new TensorVector());
        return loss;
    }

    private static Tensor crossEntropy(Tensor states, Tensor targets, Tensor embedding, Tensor bias) {
        Tensor logits =
                torch.linear(states, embedding, new TensorOptional(bias)).to(torch.ScalarType.Float);
        Tensor ids = targets.sub(new Scalar(FIRST)); // padding becomes -1, the ignored index
        return torch.cross_entropy_loss(logits, ids, new TensorOptional(), SUM, -FIRST, 0.0);
    }

    private static Tensor withoutPadding(Tensor perToken) {
        return perToken.narrow(0, FIRST, perToken.size(0) - FIRST);
    }

    private static Tensor leaf(Tensor root) {
        Tensor leaf = root.detach();
        leaf.set_requires_grad(true);
        return leaf;
    }

    private record Chunk(long start, long length) {
        Tensor of(Tensor tensor) {
            return tensor.narrow(0, start, length);
        }
    }

    private void forEachChunk(long tokens, Consumer<Chunk> work) {
        long size = Math.max(1, compute.labelMemory() / (BYTES * embedding.size(0)));
        for (long start = 0; start < tokens; start += size) {
            try (PointerScope scope = new PointerScope()) {
                work.accept(new Chunk(start, Math.min(size, tokens - start)));
            }
        }
    }
}
