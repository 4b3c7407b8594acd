package org.plant4j.train;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * AdamW for the rows that a sparse gradient names. Each row has its own step count: its moments, bias correction and weight
 * decay see only the steps in which the row has a gradient. So a row is updated as by dense AdamW that runs in these steps
 * alone, and a row that is named in every step exactly as by dense AdamW.
 *
 * <p>Rows are computed in float32. Those stored in bfloat16 are rounded stochastically: with 8 significant bits, rounding to
 * the nearest would drop most updates of a weight, and all of a second moment, which change by 1 − β₂ of their value.
 */
record SparseAdamW(double learningRate, double weightDecay, double beta1, double beta2, double epsilon) {

    /** Rows updated together, which bounds the temporary memory. */
    private static final int MAX_ROWS = 8192;

    /** Weights and moments (L, ·) and step counts (L) of a parameter. */
    record Rows(Tensor values, Tensor first, Tensor second, Tensor steps) {}

    /**
     * Updates the rows of a coalesced sparse gradient.
     *
     * @param scale divides the gradient, to clip it
     * @param finite false skips the step, without reading the flag from the device
     */
    void update(Rows rows, Tensor gradient, Tensor scale, Tensor finite) {
        Tensor ids = gradient._indices().select(0, 0);
        Tensor values = gradient._values();
        for (long start = 0; start < ids.numel(); start += MAX_ROWS) {
            try (PointerScope scope = new PointerScope()) {
                long count = Math.min(MAX_ROWS, ids.numel() - start);
                updateRows(
                        rows,
                        ids.narrow(0, start, count),
                        values.narrow(0, start, count).div(scale),
                        finite);
            }
        }
    }

    private void updateRows(Rows rows, Tensor ids, Tensor gradient, Tensor finite) {
        Tensor steps = rows.steps
                .index_select(0, ids)
                .add_(finite.to(torch.ScalarType.Float)); // a skipped step is not counted
        rows.steps.index_copy_(0, ids, steps);
        Tensor oldFirst = rows(rows.first, ids);
        Tensor oldSecond = rows(rows.second, ids);
        Tensor oldValues = rows(rows.values, ids);
        Tensor first = torch.lerp(oldFirst, gradient, new Scalar(1 - beta1));
        Tensor second = oldSecond.mul(new Scalar(beta2)).addcmul_(gradient, gradient, new Scalar(1 - beta2));
        Tensor count = gradient.dim() == 1 ? steps : steps.unsqueeze(1);
        Tensor denominator =
                second.sqrt().div_(biasCorrection(beta2, count).sqrt_()).add_(new Scalar(epsilon));
        Tensor values = oldValues
                .mul(new Scalar(1 - learningRate * weightDecay))
                .sub_(first.div(denominator).div_(biasCorrection(beta1, count)).mul_(new Scalar(learningRate)));
        store(rows.first, ids, torch.where(finite, first, oldFirst));
        store(rows.second, ids, torch.where(finite, second, oldSecond));
        store(rows.values, ids, torch.where(finite, values, oldValues));
    }

    private static Tensor rows(Tensor all, Tensor ids) {
        return all.index_select(0, ids).to(torch.ScalarType.Float);
    }

    /** 1 − βᵗ for step counts t; expm1, since the difference of numbers near 1 would be inexact. */
    private static Tensor biasCorrection(double beta, Tensor steps) {
        return steps.mul(new Scalar(Math.log(beta))).expm1_().neg_();
    }

    private static void store(Tensor all, Tensor ids, Tensor rows) {
        boolean rounds = all.element_size() < rows.element_size();
        all.index_copy_(0, ids, rounds ? stochasticallyRounded(rows) : rows);
    }

    /**
     * Float32 to bfloat16, up or down with a probability that makes the expectation exact: a random number is added to the 16
     * bits that are then cut off. Values that need no rounding stay as they are.
     */
    static Tensor stochasticallyRounded(Tensor values) {
        Tensor bits = values.contiguous().view(torch.ScalarType.Int);
        Tensor noise = torch.empty_like(bits).random_(1L << 16);
        return bits.add(noise)
                .bitwise_and(new Scalar(0xFFFF0000))
                .view(torch.ScalarType.Float)
                .to(torch.ScalarType.BFloat16);
    }
}
