package org.plant4j.nn;

import java.util.function.Function;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Which labels have something of their own: the first {@code known} of all. The others are strangers, of which no more is
 * known than what they mean. While learning, a {@code share} of the known ones is taken for strangers too, so that what is
 * said of strangers is learned where it can be told right from wrong.
 */
public record Acquaintance(int known, int labels, double share, Compute compute) {

    public Acquaintance {
        if (known < 1 || known > labels) {
            throw new IllegalArgumentException("known: " + known + " (expected: 1 to " + labels + ")");
        }
    }

    /** Whether any label is ever a stranger. */
    public boolean meetsStrangers() {
        return known < labels || share > 0;
    }

    /** 1 for each stranger, else 0: (L). */
    public Tensor strangers() {
        return torch.constant_pad_nd(
                torch.zeros(new long[] {known}, compute.floats()), new long[] {0, labels - known}, new Scalar(1));
    }

    /** The same of the known labels in a step of learning, drawn anew: (known). */
    public Tensor drawn() {
        return share == 0
                ? torch.zeros(new long[] {known}, compute.floats())
                : torch.rand(new long[] {known}, compute.floats())
                        .lt(new Scalar(share))
                        .to(torch.ScalarType.Float);
    }

    /** What some labels have of their own, (…, L), asked of none but known ones; strangers have 0. */
    public Tensor own(SomeLabels some, Tensor strangers, Function<SomeLabels, Tensor> of) {
        return meetsStrangers() ? padded(some, of).mul(some.of(strangers).neg().add(new Scalar(1))) : of.apply(some);
    }

    private Tensor padded(SomeLabels some, Function<SomeLabels, Tensor> of) {
        if (some instanceof SomeLabels.Asked asked) { // for a stranger any other is asked: it comes to nothing
            return of.apply(new SomeLabels.Asked(asked.ids().clamp_max(new Scalar(known - 1))));
        }
        SomeLabels.Range range = some instanceof SomeLabels.Range given ? given : new SomeLabels.Range(0, labels);
        if (range.first() + range.count() <= known) {
            return of.apply(some);
        }
        int first = Math.min(range.first(), known - 1); // never none: not every kernel takes an empty tensor
        int among = Math.min(range.count(), known - first);
        return torch.constant_pad_nd(of.apply(new SomeLabels.Range(first, among)), 0, range.count() - among);
    }
}
