package org.plant4j.train;

import org.plant4j.support.Arguments;

/**
 * Settings of the {@link Trainer}.
 *
 * @param warmup fraction of the steps before the learning rate peaks; 0 keeps it constant
 * @param finalWeightDecayScale factor on the weight decay at the end of training, reached along a cosine from 1
 * @param clip maximum norm of the gradients
 * @param patience epochs without a better dev metric after which training stops early
 */
public record TrainerConfig(
        int epochs,
        double warmup,
        double finalWeightDecayScale,
        double clip,
        double beta1,
        double beta2,
        int patience) {

    /** With a constant weight decay. */
    public TrainerConfig(int epochs, double warmup, double clip, double beta1, double beta2, int patience) {
        this(epochs, warmup, 1, clip, beta1, beta2, patience);
    }

    public TrainerConfig {
        Arguments.atLeast(1, "epochs", epochs);
        Arguments.rate("warmup", warmup);
        Arguments.rate("beta1", beta1);
        Arguments.rate("beta2", beta2);
        Arguments.atLeast(0.0, "final_weight_decay_scale", finalWeightDecayScale);
        Arguments.check(clip > 0, "clip", clip, "> 0");
        Arguments.atLeast(1, "patience", patience);
    }

    /** The factor on the weight decay after a fraction of training. */
    double weightDecayScale(double progress) {
        return LearningRateSchedule.cosine(1, finalWeightDecayScale, Math.min(1, progress));
    }

    LearningRateSchedule schedule() {
        return warmup == 0 ? LearningRateSchedule.constant() : LearningRateSchedule.oneCycle(warmup);
    }
}
