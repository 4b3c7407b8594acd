package org.plant4j.train;

/** How the learning rate moves: a factor on the peak rate, by the share of the training that is done. */
public interface LearningRateSchedule {

    double factor(double share);

    /** Always the peak. */
    static LearningRateSchedule constant() {
        return share -> 1;
    }

    /**
     * One cycle: from 1/25 of the peak up to it over the first {@code warmup} share, then down to almost nothing, both
     * along a cosine (Smith 2018; the divisors are those of PyTorch's {@code OneCycleLR}).
     */
    static LearningRateSchedule oneCycle(double warmup) {
        if (!(warmup > 0 && warmup < 1)) {
            throw new IllegalArgumentException("warmup: " + warmup + " (expected: > 0 and < 1)");
        }
        double start = 1.0 / 25;
        double end = start / 1e4;
        return share -> share < warmup
                ? cosine(start, 1, share / warmup)
                : cosine(1, end, (Math.min(1, share) - warmup) / (1 - warmup));
    }

    private static double cosine(double from, double to, double share) {
        return to + (from - to) * (1 + Math.cos(Math.PI * share)) / 2;
    }
}
