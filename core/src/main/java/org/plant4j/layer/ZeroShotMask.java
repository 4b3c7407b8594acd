package org.plant4j.layer;

import java.util.function.Function;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.LabelSelection;

/**
 * Which labels have something of their own: the first {@code known} of all. The others are strangers, of which no more is
 * known than what they mean. While learning, a {@code share} of the known ones is taken for strangers too, so that what is
 * said of strangers is learned where it can be told right from wrong.
 */
public record ZeroShotMask(int trainedLabels, int labels, double maskingRate, Compute compute) {

    public ZeroShotMask {
        if (trainedLabels < 1 || trainedLabels > labels) {
            throw new IllegalArgumentException("known: " + trainedLabels + " (expected: 1 to " + labels + ")");
        }
    }

    /** Whether any label is ever a stranger. */
    public boolean hasZeroShotLabels() {
        return trainedLabels < labels || maskingRate > 0;
    }

    /** 1 for each stranger, else 0: (L). */
    public Tensor mask() {
        return torch.constant_pad_nd(
                torch.zeros(new long[] {trainedLabels}, compute.floatOptions()),
                new long[] {0, labels - trainedLabels},
                new Scalar(1));
    }

    /** The same of the known labels in a step of learning, drawn anew: (known). */
    public Tensor sampleTrainingMask() {
        return maskingRate == 0
                ? torch.zeros(new long[] {trainedLabels}, compute.floatOptions())
                : torch.rand(new long[] {trainedLabels}, compute.floatOptions())
                        .lt(new Scalar(maskingRate))
                        .to(torch.ScalarType.Float);
    }

    /** What some labels have of their own, (…, L), asked of none but known ones; strangers have 0. */
    public Tensor computeTrained(LabelSelection some, Tensor strangers, Function<LabelSelection, Tensor> of) {
        return hasZeroShotLabels()
                ? computePadded(some, of).mul(some.select(strangers).neg().add(new Scalar(1)))
                : of.apply(some);
    }

    private Tensor computePadded(LabelSelection some, Function<LabelSelection, Tensor> of) {
        if (some instanceof LabelSelection.Ids asked) { // for a stranger any other is asked: it comes to nothing
            return of.apply(new LabelSelection.Ids(asked.ids().clamp_max(new Scalar(trainedLabels - 1))));
        }
        LabelSelection.Range range =
                some instanceof LabelSelection.Range given ? given : new LabelSelection.Range(0, labels);
        if (range.first() + range.count() <= trainedLabels) {
            return of.apply(some);
        }
        int first = Math.min(range.first(), trainedLabels - 1); // never none: not every kernel takes an empty tensor
        int among = Math.min(range.count(), trainedLabels - first);
        return torch.constant_pad_nd(of.apply(new LabelSelection.Range(first, among)), 0, range.count() - among);
    }
}
