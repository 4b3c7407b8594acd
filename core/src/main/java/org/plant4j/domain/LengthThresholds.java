package org.plant4j.domain;

import java.util.List;
import org.plant4j.support.Arguments;

/** The lowest value of a feature for texts in the domain, by length: the mean over few tokens varies more. */
record LengthThresholds(List<Point> points) {

    /**
     * The threshold at a length.
     *
     * @param median the feature's median in dev passages of this length
     */
    record Point(int length, double threshold, double median) {

        Point {
            Arguments.atLeast(1, "length", length);
            Arguments.check(threshold <= median, "threshold", threshold, "at most the median, " + median);
        }
    }

    LengthThresholds {
        points = List.copyOf(points);
        for (int i = 1; i < points.size(); i++) {
            Arguments.check(
                    points.get(i - 1).length() < points.get(i).length(),
                    "length " + i,
                    points.get(i).length(),
                    "longer than the one before");
        }
    }

    boolean isEmpty() {
        return points.isEmpty();
    }

    /**
     * How far a value is above the threshold for its length, relative to the median: 0 at the threshold, 1 at the median.
     * Thresholds and medians are interpolated linearly in the logarithm of the length, and constant outside.
     */
    double margin(double value, int length) {
        Point low = points.get(0);
        Point high = points.get(points.size() - 1);
        for (int i = 0; i < points.size(); i++) {
            Point fromStart = points.get(i);
            Point fromEnd = points.get(points.size() - 1 - i);
            low = fromStart.length() <= length ? fromStart : low;
            high = fromEnd.length() >= length ? fromEnd : high;
        }
        double position = low.length() == high.length()
                ? 0
                : Math.log((double) length / low.length()) / Math.log((double) high.length() / low.length());
        double threshold = interpolate(low.threshold(), high.threshold(), position);
        double median = interpolate(low.median(), high.median(), position);
        return (value - threshold) / Math.max(median - threshold, 1e-6);
    }

    private static double interpolate(double low, double high, double position) {
        return low + position * (high - low);
    }
}
