package org.plant4j.train;

/** How long and how hard to learn; {@code patience} epochs without a better dev metric end the training. */
public record TrainerConfig(int epochs, double warmup, double clip, double beta1, double beta2, int patience) {

    public TrainerConfig {
        if (epochs < 1) {
            throw new IllegalArgumentException("epochs: " + epochs + " (expected: >= 1)");
        }
        if (!(warmup >= 0 && warmup < 1)) {
            throw new IllegalArgumentException("warmup: " + warmup + " (expected: >= 0 and < 1)");
        }
        if (!(beta1 >= 0 && beta1 < 1) || !(beta2 >= 0 && beta2 < 1)) {
            throw new IllegalArgumentException("betas: " + beta1 + ", " + beta2 + " (expected: >= 0 and < 1)");
        }
        if (!(clip > 0)) {
            throw new IllegalArgumentException("clip: " + clip + " (expected: > 0)");
        }
        if (patience < 1) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: >= 1)");
        }
    }

    /** A warm-up of 0 keeps the rate constant. */
    LearningRateSchedule schedule() {
        return warmup == 0 ? LearningRateSchedule.constant() : LearningRateSchedule.oneCycle(warmup);
    }
}
