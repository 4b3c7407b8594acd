package org.plant4j.layer;

import org.bytedeco.pytorch.BoolOptional;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.global.torch;

/** A dropout mask in memory of its own, which is drawn apart from the computation that applies it. */
public final class DropoutMask implements AutoCloseable {

    private final double rate;
    private final Tensor kept; // 1 for what is kept, 0 for what is dropped

    /** Nothing is dropped until {@link #draw} is called. */
    public DropoutMask(double rate, TensorOptions options, long... shape) {
        this.rate = rate;
        kept = torch.ones(rate > 0 ? shape : new long[] {1}, options.requires_grad(new BoolOptional(false)));
        kept.retainReference(); // outlives the open scope
    }

    public boolean isActive() {
        return rate > 0;
    }

    /** Draws the mask again. */
    public void draw() {
        if (rate > 0) {
            try (NoGradGuard noGrad = new NoGradGuard()) {
                kept.bernoulli_(1 - rate, new GeneratorOptional());
            }
        }
    }

    /** Zeroes what is dropped and scales up the rest. */
    public Tensor apply(Tensor x) {
        return rate > 0 ? x.mul(kept.mul(new Scalar(1 / (1 - rate))).to(x.scalar_type())) : x;
    }

    @Override
    public void close() {
        kept.close();
    }
}
