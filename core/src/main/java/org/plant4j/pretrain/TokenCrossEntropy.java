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
 * Cross-entropy of the right words over the whole vocabulary, for a few tokens at a time: what a tensor of tokens × words
 * takes is bounded by {@link Compute#labelMemory}. Padding is no word: it is neither predicted nor counted.
 *
 * @param words (V, E), the embedding itself
 * @param bias (V)
 */
public record TokenCrossEntropy(Tensor words, Tensor bias, Compute compute) {

    private static final long SUM = 2; // at::Reduction::Sum
    private static final int BYTES = 16; // a token and word: logits, their logarithms and both gradients
    private static final int FIRST = Vocabulary.PADDING + 1;

    /** Summed over the words; {@code states} (N, E), {@code right} (N). */
    Tensor loss(Tensor states, Tensor right) {
        Tensor sum = torch.zeros(new long[] {}, compute.floatOptions());
        pieces(states.size(0), piece -> sum.add_(entropy(piece.of(states), piece.of(right), real(words), real(bias))));
        return sum;
    }

    /**
     * The mean over so many words. Its gradients go back through whatever made {@code states}, and so do those of {@code
     * extra}, which is added to it.
     */
    Tensor backward(Tensor states, Tensor right, int count, Tensor extra) {
        Tensor[] roots = {states, real(words), real(bias)};
        Tensor[] leaves = {leaf(roots[0]), leaf(roots[1]), leaf(roots[2])};
        Tensor loss = extra.detach().clone();
        Scalar words = new Scalar((double) Math.max(1, count));
        pieces(states.size(0), piece -> {
            Tensor part = compute.backward(() -> entropy(piece.of(leaves[0]), piece.of(right), leaves[1], leaves[2])
                    .div(words));
            try (NoGradGuard noGrad = new NoGradGuard()) {
                loss.add_(part);
            }
        });
        TensorVector from = new TensorVector(roots[0], roots[1], roots[2]);
        TensorVector gradients = new TensorVector(leaves[0].grad(), leaves[1].grad(), leaves[2].grad());
        if (extra.requires_grad()) {
            from.push_back(extra);
            gradients.push_back(torch.ones_like(extra));
        }
        torch.backward(from, gradients, new BoolOptional(), false, new TensorVector());
        return loss;
    }

    private static Tensor entropy(Tensor states, Tensor right, Tensor words, Tensor bias) {
        Tensor logits = torch.linear(states, words, new TensorOptional(bias)).to(torch.ScalarType.Float);
        Tensor ids = right.sub(new Scalar(FIRST)); // padding becomes -1, which does not count
        return torch.cross_entropy_loss(logits, ids, new TensorOptional(), SUM, -FIRST, 0.0);
    }

    private static Tensor real(Tensor perWord) {
        return perWord.narrow(0, FIRST, perWord.size(0) - FIRST);
    }

    private static Tensor leaf(Tensor root) {
        Tensor leaf = root.detach();
        leaf.set_requires_grad(true);
        return leaf;
    }

    private record Piece(long start, long length) {
        Tensor of(Tensor tensor) {
            return tensor.narrow(0, start, length);
        }
    }

    private void pieces(long tokens, Consumer<Piece> work) {
        long atOnce = Math.max(1, compute.labelMemory() / (BYTES * words.size(0)));
        for (long start = 0; start < tokens; start += atOnce) {
            try (PointerScope scope = new PointerScope()) {
                work.accept(new Piece(start, Math.min(atOnce, tokens - start)));
            }
        }
    }
}
