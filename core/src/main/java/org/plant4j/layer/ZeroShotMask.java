package org.plant4j.layer;

import java.util.function.Function;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Separates trained labels, the first {@code trainedLabels}, from zero-shot labels, which have a description but no
 * weights. In training, trained labels are masked at {@code maskingRate}, that is, treated as zero-shot, so that the
 * network learns to score labels by their description where targets are known.
 */
public record ZeroShotMask(int trainedLabels, int labels, double maskingRate, Compute compute) {

    public ZeroShotMask {
        Arguments.between(1, labels, "trainedLabels", trainedLabels);
    }

    /** Whether any label is zero-shot or can be masked in training. */
    public boolean hasZeroShotLabels() {
        return trainedLabels < labels || maskingRate > 0;
    }

    /** 1 for zero-shot labels, 0 for trained ones: (L). */
    public Tensor mask() {
        return torch.constant_pad_nd(
                torch.zeros(new long[] {trainedLabels}, compute.floatOptions()),
                new long[] {0, labels - trainedLabels},
                new Scalar(1));
    }

    /** A random mask of the trained labels for one training step: 1 for labels to treat as zero-shot (trained labels). */
    public Tensor sampleTrainingMask() {
        return maskingRate == 0
                ? torch.zeros(new long[] {trainedLabels}, compute.floatOptions())
                : torch.rand(new long[] {trainedLabels}, compute.floatOptions())
                        .lt(new Scalar(maskingRate))
                        .to(torch.ScalarType.Float);
    }

    /**
     * Evaluates a function of trained labels for any selection: its result (…, L) where {@code mask} is 0, and 0 where it
     * is 1. The function is only called with trained labels.
     */
    public Tensor computeTrained(LabelSelection labels, Tensor mask, Function<LabelSelection, Tensor> function) {
        return hasZeroShotLabels()
                ? computePadded(labels, function).mul(labels.select(mask).neg().add(new Scalar(1)))
                : function.apply(labels);
    }

    private Tensor computePadded(LabelSelection selection, Function<LabelSelection, Tensor> function) {
        if (selection
                instanceof LabelSelection.Ids chosen) { // any trained label can replace a zero-shot one: it is masked
            return function.apply(new LabelSelection.Ids(chosen.ids().clamp_max(new Scalar(trainedLabels - 1))));
        }
        LabelSelection.Range range =
                selection instanceof LabelSelection.Range given ? given : new LabelSelection.Range(0, labels);
        if (range.first() + range.count() <= trainedLabels) {
            return function.apply(selection);
        }
        int first = Math.min(range.first(), trainedLabels - 1); // at least one label: some kernels reject empty tensors
        int trained = Math.min(range.count(), trainedLabels - first);
        return torch.constant_pad_nd(
                function.apply(new LabelSelection.Range(first, trained)), 0, range.count() - trained);
    }
}
