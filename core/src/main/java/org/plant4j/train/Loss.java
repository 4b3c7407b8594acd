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
    BALANCED,

    /**
     * The sum of cross-entropy and focal loss, -(1 + (1 - p)²) log p for the probability p of the target: labels that are
     * already right count less. Lin, Goyal, Girshick, He, Dollár: Focal Loss for Dense Object Detection, ICCV 2017, with γ = 2.
     */
    FOCAL;

    private static final long NO_REDUCTION = 0; // at::Reduction::None
    private static final long SUM = 2; // at::Reduction::Sum
    private static final double SMALLEST_PROBABILITY = 1e-12;

    /** Weight (B, 1) of the positives of each document, given all its targets (B, L), not only those of a label range. */
    public Tensor positiveWeight(Tensor targets) {
        Tensor positives = targets.sum(new long[] {1}, true, new ScalarTypeOptional());
        return this == BALANCED
                ? positives.neg().add(new Scalar((double) targets.size(1))).div(positives.clamp_min(new Scalar(1)))
                : torch.ones_like(positives);
    }

    /** The weight of the positives of one document. */
    public double positiveWeight(int positives, int labels) {
        return this == BALANCED ? (double) (labels - positives) / Math.max(1, positives) : 1;
    }

    /** The loss of one label without its weight, given the probability of its target. */
    public double compute(double probability) {
        double factor = this == FOCAL ? 1 + (1 - probability) * (1 - probability) : 1;
        return -factor * Math.log(Math.max(probability, SMALLEST_PROBABILITY));
    }

    /** The loss of logits (B, L) of a label range. */
    public Tensor compute(Tensor logits, Tensor targets, Tensor positiveWeight) {
        Scalar documents = new Scalar((double) logits.size(0));
        if (this == FOCAL) {
            Tensor crossEntropy = crossEntropy(logits, targets, new TensorOptional(), NO_REDUCTION); // -log p
            Tensor wrong = crossEntropy.neg().expm1().neg(); // 1 - p
            return crossEntropy.mul(wrong.square().add(new Scalar(1))).sum().div(documents);
        }
        TensorOptional weight =
                this == PLAIN ? new TensorOptional() : new TensorOptional(positiveWeight.expand_as(targets));
        return crossEntropy(logits, targets, weight, SUM).div(documents);
    }

    private static Tensor crossEntropy(Tensor logits, Tensor targets, TensorOptional positiveWeight, long reduction) {
        return torch.binary_cross_entropy_with_logits(logits, targets, new TensorOptional(), positiveWeight, reduction);
    }
}
