package org.plant4j.train;

import org.plant4j.support.Arguments;

/**
 * Settings of the {@link Trainer}.
 *
 * @param warmup fraction of the steps before the learning rate peaks; 0 keeps it constant
 * @param clip maximum norm of the gradients
 * @param patience epochs without a better dev metric after which training stops early
 */
public record TrainerConfig(int epochs, double warmup, double clip, double beta1, double beta2, int patience) {

    public TrainerConfig {
        Arguments.atLeast(1, "epochs", epochs);
        Arguments.rate("warmup", warmup);
        Arguments.rate("beta1", beta1);
        Arguments.rate("beta2", beta2);
        Arguments.check(clip > 0, "clip", clip, "> 0");
        Arguments.atLeast(1, "patience", patience);
    }

    LearningRateSchedule schedule() {
        return warmup == 0 ? LearningRateSchedule.constant() : LearningRateSchedule.oneCycle(warmup);
    }
}
