package org.plant4j.metric;

import java.util.Arrays;
import java.util.Objects;

/** Points of a line to draw, from left to right, and what its axes show. */
@SuppressWarnings("ArrayRecordComponent") // charts take plain arrays; copied in and out, compared by content
public record Curve(String xName, String yName, double[] x, double[] y) {

    public Curve {
        if (x.length != y.length) {
            throw new IllegalArgumentException("points: " + x.length + " x, " + y.length + " y");
        }
        x = x.clone();
        y = y.clone();
    }

    @Override
    public double[] x() {
        return x.clone();
    }

    @Override
    public double[] y() {
        return y.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Curve curve
                && xName.equals(curve.xName)
                && yName.equals(curve.yName)
                && Arrays.equals(x, curve.x)
                && Arrays.equals(y, curve.y);
    }

    @Override
    public int hashCode() {
        return Objects.hash(xName, yName, Arrays.hashCode(x), Arrays.hashCode(y));
    }

    @Override
    public String toString() {
        return yName + " by " + xName + ": " + x.length + " points";
    }
}
