package org.plant4j;

import java.util.Arrays;
import java.util.Objects;
import org.plant4j.support.Arguments;

/**
 * The points of a curve by ascending x, and the names of its axes.
 *
 * @param xName the name of the horizontal axis
 * @param yName the name of the vertical axis
 * @param x the x values, ascending
 * @param y the y values
 */
@SuppressWarnings("ArrayRecordComponent") // plain arrays for charts; copied defensively, compared by content
public record Curve(String xName, String yName, double[] x, double[] y) {

    /**
     * Checks the lengths and copies the points.
     *
     * @param xName the name of the horizontal axis
     * @param yName the name of the vertical axis
     * @param x the x values, ascending
     * @param y the y values
     */
    public Curve {
        Arguments.check(x.length == y.length, "y values", y.length, "" + x.length);
        x = x.clone();
        y = y.clone();
    }

    /** {@return a copy of the x values} */
    @Override
    public double[] x() {
        return x.clone();
    }

    /** {@return a copy of the y values} */
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
