package org.plant4j.train;

import org.plant4j.support.Arguments;

/** A factor on the peak learning rate, as a function of the fraction of training that is done. */
interface LearningRateSchedule {

    double factor(double progress);

    /** Always the peak rate. */
    static LearningRateSchedule constant() {
        return progress -> 1;
    }

    /**
     * One cycle (Smith 2018): from 1/25 of the peak up to the peak over the first {@code warmup} fraction, then down to
     * 1/250,000, both along a cosine. The divisors are those of PyTorch's {@code OneCycleLR}.
     */
    static LearningRateSchedule oneCycle(double warmup) {
        Arguments.check(warmup > 0 && warmup < 1, "warmup", warmup, "> 0 and < 1");
        double start = 1.0 / 25;
        double end = start / 1e4;
        return progress -> progress < warmup
                ? cosine(start, 1, progress / warmup)
                : cosine(1, end, (Math.min(1, progress) - warmup) / (1 - warmup));
    }

    /** From one value to another along half a cosine. */
    static double cosine(double from, double to, double progress) {
        return to + (from - to) * (1 + Math.cos(Math.PI * progress)) / 2;
    }
}
