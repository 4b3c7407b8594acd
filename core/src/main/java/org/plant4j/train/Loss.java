package org.plant4j.train;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * Binary cross-entropy with logits, summed over labels, so that gradients do not shrink with their number, and averaged over
 * documents.
 */
public enum Loss {
    PLAIN,

    /** Positives are weighted by negatives / positives of their document, so that both have the same total weight. */
    BALANCED;

    private static final long SUM = 2; // at::Reduction::Sum

    /** Weight (B, 1) of the positives of each document, given all its targets (B, L), not only those of a label range. */
    public Tensor positiveWeight(Tensor targets) {
        Tensor positives = targets.sum(new long[] {1}, true, new ScalarTypeOptional());
        return this == PLAIN
                ? torch.ones_like(positives)
                : positives.neg().add(new Scalar((double) targets.size(1))).div(positives.clamp_min(new Scalar(1)));
    }

    /** The weight of the positives of one document. */
    public double positiveWeight(int positives, int labels) {
        return this == PLAIN ? 1 : (double) (labels - positives) / Math.max(1, positives);
    }

    public Tensor compute(Tensor logits, Tensor targets, Tensor positiveWeight) {
        return crossEntropy(
                logits,
                targets,
                this == PLAIN ? new TensorOptional() : new TensorOptional(positiveWeight.expand_as(targets)));
    }

    private static Tensor crossEntropy(Tensor logits, Tensor targets, TensorOptional positiveWeight) {
        return torch.binary_cross_entropy_with_logits(logits, targets, new TensorOptional(), positiveWeight, SUM)
                .div(new Scalar((double) logits.size(0)));
    }
}
