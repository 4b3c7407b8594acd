package org.plant4j.layer;

import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.tensor.Batch;
import org.plant4j.tensor.Compute;

/**
 * Batch normalization of each feature over the tokens of a batch. Padding is excluded, so that a document does not depend
 * on the lengths of the others. Prediction uses running statistics; names, momentum and epsilon are PyTorch's.
 */
public final class BatchNorm extends Layer {

    private static final double EPSILON = 1e-5;
    private static final double MOMENTUM = 0.1;

    private final Compute compute;
    private final Tensor weight; // (C)
    private final Tensor bias; // (C)
    private final Tensor runningMean; // (C)
    private final Tensor runningVariance; // (C)

    public BatchNorm(int features, Compute compute) {
        this.compute = compute;
        weight = parameter("weight", compute, Init.constant(1), features);
        bias = parameter("bias", compute, Init.constant(0), features);
        runningMean = buffer("running_mean", compute, Init.constant(0), features);
        runningVariance = buffer("running_var", compute, Init.constant(1), features);
    }

    /** (B, T, C) to (B, T, C); values at padding are meaningless. */
    public Tensor forward(Tensor x, Batch batch) {
        try (Compute.Autocast uncast = compute.withoutAutocast()) {
            Tensor features = x.to(torch.ScalarType.Float);
            if (!batch.training()) {
                return normalize(features, runningMean, runningVariance);
            }
            Tensor mask = batch.mask().unsqueeze(-1).to(torch.ScalarType.Float); // (B, T, 1)
            Tensor count = mask.sum();
            Tensor mean = sum(features.mul(mask)).div(count);
            Tensor variance =
                    sum(features.sub(mean).pow(new Scalar(2)).mul(mask)).div(count);
            updateRunningStatistics(mean, variance, count);
            return normalize(features, mean, variance);
        }
    }

    private static Tensor sum(Tensor x) {
        return x.sum(new long[] {0, 1}, false, new ScalarTypeOptional());
    }

    private Tensor normalize(Tensor x, Tensor mean, Tensor variance) {
        Tensor scale = weight.mul(variance.add(new Scalar(EPSILON)).rsqrt());
        return x.sub(mean).mul(scale).add(bias);
    }

    private void updateRunningStatistics(Tensor mean, Tensor variance, Tensor count) {
        try (NoGradGuard noGrad = new NoGradGuard()) {
            Tensor unbiased = variance.mul(count).div(count.sub(new Scalar(1)).clamp_min(new Scalar(1)));
            runningMean.lerp_(mean, new Scalar(MOMENTUM));
            runningVariance.lerp_(unbiased, new Scalar(MOMENTUM));
        }
    }
}
