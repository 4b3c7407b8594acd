package org.plant4j.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One direction of a chart: a range, linear or logarithmic, and the round numbers marked on it, no closer than a least step. */
public record Axis(String label, boolean log, double min, double max, double minStep) {

    private static final double EPSILON = 1e-9;

    /** The range that holds every usable value; an empty, or one-valued, range is widened so that it can be drawn. */
    static Axis fitting(String label, boolean log, double[] values) {
        double[] usable = Arrays.stream(values)
                .filter(v -> Double.isFinite(v) && (!log || v > 0))
                .toArray();
        double min = Arrays.stream(usable).min().orElse(log ? 1 : 0);
        double max = Arrays.stream(usable).max().orElse(log ? 10 : 1);
        if (min == max) {
            double room = Math.max(Math.abs(min) / 2, 0.5);
            min = log ? min / 2 : min - room;
            max = log ? max * 2 : max + room;
        }
        return new Axis(label, log, min, max, 0);
    }

    /** The axis lengthened to the round numbers at both ends. */
    Axis rounded() {
        if (log) {
            return this;
        }
        double step = step();
        return new Axis(
                label, false, step * Math.floor(min / step + EPSILON), step * Math.ceil(max / step - EPSILON), step);
    }

    /** The axis of a count, such as epochs: nothing is marked between whole numbers. */
    Axis wholeNumbers() {
        return new Axis(label, log, min, max, 1);
    }

    boolean accepts(double value) {
        return Double.isFinite(value) && (!log || value > 0);
    }

    /** Where a value lies between the ends, 0 to 1; outside it is drawn at the nearer end. */
    double position(double value) {
        double at = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
        return Math.min(1, Math.max(0, at));
    }

    /** The value that lies at a place between the ends. */
    double valueAt(double place) {
        return log ? min * Math.pow(max / min, place) : min + place * (max - min);
    }

    List<Double> ticks() {
        return log ? logTicks() : linearTicks();
    }

    private double step() {
        double rough = (max - min) / 5;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double mantissa = rough / power;
        return Math.max(minStep, power * (mantissa < 1.5 ? 1 : mantissa < 3.5 ? 2 : mantissa < 7.5 ? 5 : 10));
    }

    private List<Double> linearTicks() {
        double step = step();
        List<Double> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(min / step - EPSILON); i * step <= max + step * EPSILON; i++) {
            ticks.add(round(i * step));
        }
        return ticks;
    }

    /** Powers of ten; between them 2 and 5 too where the range is short. */
    private List<Double> logTicks() {
        double[] mantissas = max / min < 1_000 ? new double[] {1, 2, 5} : new double[] {1};
        int last = (int) Math.ceil(Math.log10(max));
        int stride = Math.max(1, (int) Math.ceil(Math.log10(max / min) / 7));
        List<Double> ticks = new ArrayList<>();
        for (int power = (int) Math.floor(Math.log10(min)); power <= last; power += stride) {
            for (double mantissa : mantissas) {
                double tick = round(mantissa * Math.pow(10, power));
                if (tick >= min * (1 - EPSILON) && tick <= max * (1 + EPSILON)) {
                    ticks.add(tick);
                }
            }
        }
        return ticks;
    }

    private static double round(double value) {
        return new BigDecimal(value).round(new MathContext(10)).doubleValue();
    }

    /** A number as short as it can be: 0.25, 12, 50k, 3M. */
    static String format(double value) {
        double size = Math.abs(value);
        if (size >= 1e15 || (size > 0 && size < 1e-4)) {
            return new BigDecimal(value)
                    .round(new MathContext(3))
                    .stripTrailingZeros()
                    .toString();
        }
        if (size >= 1e6) {
            return format(value / 1e6) + "M";
        }
        return size >= 1e4 ? format(value / 1e3) + "k" : formatPlain(value);
    }

    private static String formatPlain(double value) {
        BigDecimal tidy = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
        return tidy.signum() == 0 ? "0" : tidy.toPlainString();
    }
}
