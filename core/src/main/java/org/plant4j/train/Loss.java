package org.plant4j.train;

import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;

/**
 * How far logits are from what they should say: binary cross-entropy, summed over labels so that its gradient does not
 * shrink as labels grow many, and averaged over documents.
 */
public enum Loss {
    PLAIN,

    /** A document's labels weigh together as much as all others: positives count negatives / positives times. */
    BALANCED;

    private static final long SUM = 2; // at::Reduction::Sum

    /** What a positive counts, (B, 1), by all targets (B, L) of the document: also where labels come in ranges. */
    public Tensor positiveWeight(Tensor targets) {
        Tensor positives = targets.sum(new long[] {1}, true, new ScalarTypeOptional());
        return this == PLAIN
                ? torch.ones_like(positives)
                : positives.neg().add(new Scalar((double) targets.size(1))).div(positives.clamp_min(new Scalar(1)));
    }

    /** The same of a document that has so many of the labels. */
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
