package org.plant4j.calibration;

import java.util.ArrayList;
import java.util.List;
import org.plant4j.metric.Curve;

/** How often what was given a probability is right, by equally wide bins of it; empty bins are left out. */
public record Reliability(List<Bin> bins) {

    public static final int BINS = 10;

    /** The pairs of a bin, their mean probability, and the share that is right. */
    public record Bin(long pairs, double probability, double right) {}

    public Reliability {
        bins = List.copyOf(bins);
    }

    public static Reliability of(double[] probabilities, boolean[] right) {
        if (probabilities.length != right.length) {
            throw new IllegalArgumentException("pairs: " + probabilities.length + " probabilities, " + right.length);
        }
        long[] pairs = new long[BINS];
        double[] sums = new double[BINS];
        long[] hits = new long[BINS];
        for (int i = 0; i < right.length; i++) {
            int bin = Math.min(BINS - 1, (int) (probabilities[i] * BINS));
            pairs[bin]++;
            sums[bin] += probabilities[i];
            hits[bin] += right[i] ? 1 : 0;
        }
        List<Bin> bins = new ArrayList<>();
        for (int b = 0; b < BINS; b++) {
            if (pairs[b] > 0) {
                bins.add(new Bin(pairs[b], sums[b] / pairs[b], (double) hits[b] / pairs[b]));
            }
        }
        return new Reliability(bins);
    }

    /** The expected calibration error: how far probability and share lie apart, over all pairs; NaN without any. */
    public double expectedCalibrationError() {
        long all = bins.stream().mapToLong(Bin::pairs).sum();
        return bins.stream()
                        .mapToDouble(bin -> bin.pairs() * Math.abs(bin.probability() - bin.right()))
                        .sum()
                / (all == 0 ? Double.NaN : all);
    }

    /** The line to draw: share against probability. */
    public Curve curve() {
        return new Curve(
                "probability",
                "share that is right",
                bins.stream().mapToDouble(Bin::probability).toArray(),
                bins.stream().mapToDouble(Bin::right).toArray());
    }
}
