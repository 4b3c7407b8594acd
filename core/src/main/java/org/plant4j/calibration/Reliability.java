package org.plant4j.calibration;

import java.util.ArrayList;
import java.util.List;
import org.plant4j.Curve;
import org.plant4j.support.Arguments;

/** A reliability diagram: predicted probability against observed frequency in bins of equal width, without empty bins. */
public record Reliability(List<Bin> bins) {

    public static final int BINS = 10;

    /** The number of pairs in a bin, their mean probability, and the fraction of them that are gold. */
    public record Bin(long pairs, double probability, double correct) {}

    public Reliability {
        bins = List.copyOf(bins);
    }

    public static Reliability of(double[] probabilities, boolean[] correct) {
        Arguments.check(correct.length == probabilities.length, "correct", correct.length, "" + probabilities.length);
        long[] pairs = new long[BINS];
        double[] sums = new double[BINS];
        long[] hits = new long[BINS];
        for (int i = 0; i < correct.length; i++) {
            int bin = Math.min(BINS - 1, (int) (probabilities[i] * BINS));
            pairs[bin]++;
            sums[bin] += probabilities[i];
            hits[bin] += correct[i] ? 1 : 0;
        }
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < BINS; b++) {
            if (pairs[b] > 0) {
                bins.add(new Bin(pairs[b], sums[b] / pairs[b], (double) hits[b] / pairs[b]));
            }
        }
        return new Reliability(bins);
    }

    /** The mean absolute difference of probability and observed frequency, weighted by pairs; NaN without pairs. */
    public double expectedCalibrationError() {
        long all = bins.stream().mapToLong(Bin::pairs).sum();
        return bins.stream()
                        .mapToDouble(bin -> bin.pairs() * Math.abs(bin.probability() - bin.correct()))
                        .sum()
                / (all == 0 ? Double.NaN : all);
    }

    /** Observed frequency by predicted probability. */
    public Curve curve() {
        return new Curve(
                "probability",
                "observed frequency",
                bins.stream().mapToDouble(Bin::probability).toArray(),
                bins.stream().mapToDouble(Bin::correct).toArray());
    }
}
