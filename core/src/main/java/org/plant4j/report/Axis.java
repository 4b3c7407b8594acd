package org.plant4j.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A linear or logarithmic chart axis with ticks at round numbers, at least {@code minStep} apart. */
record Axis(String label, boolean log, double min, double max, double minStep) {

    private static final double EPSILON = 1e-9;

    /** An axis that covers all finite values (positive ones if logarithmic). An empty or single-valued range is widened. */
    static Axis fitting(String label, boolean log, double[] values) {
        double[] usable = Arrays.stream(values)
                .filter(v -> Double.isFinite(v) && (!log || v > 0))
                .toArray();
        double min = Arrays.stream(usable).min().orElse(log ? 1 : 0);
        double max = Arrays.stream(usable).max().orElse(log ? 10 : 1);
        if (min == max) {
            double margin = Math.max(Math.abs(min) / 2, 0.5);
            min = log ? min / 2 : min - margin;
            max = log ? max * 2 : max + margin;
        }
        return new Axis(label, log, min, max, 0);
    }

    /** The axis extended to round numbers at both ends. */
    Axis rounded() {
        if (log) {
            return this;
        }
        double step = step();
        return new Axis(
                label, false, step * Math.floor(min / step + EPSILON), step * Math.ceil(max / step - EPSILON), step);
    }

    /** The axis with ticks at whole numbers only, for counts such as epochs. */
    Axis wholeNumbers() {
        return new Axis(label, log, min, max, 1);
    }

    /** Whether a value can be drawn. */
    boolean accepts(double value) {
        return Double.isFinite(value) && (!log || value > 0);
    }

    /** The relative position of a value, clamped to 0–1. */
    double position(double value) {
        double position = log ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
        return Math.min(1, Math.max(0, position));
    }

    /** The value at a relative position. */
    double valueAt(double position) {
        return log ? min * Math.pow(max / min, position) : min + position * (max - min);
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

    /** Powers of ten, and their multiples by 2 and 5 if the range is short. */
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

    /** A short form of a number: 0.25, 12, 50k, 3M. */
    static String format(double value) {
        double magnitude = Math.abs(value);
        if (magnitude >= 1e15 || (magnitude > 0 && magnitude < 1e-4)) {
            return new BigDecimal(value)
                    .round(new MathContext(3))
                    .stripTrailingZeros()
                    .toString();
        }
        if (magnitude >= 1e6) {
            return format(value / 1e6) + "M";
        }
        return magnitude >= 1e4 ? format(value / 1e3) + "k" : formatPlain(value);
    }

    private static String formatPlain(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
        return rounded.signum() == 0 ? "0" : rounded.toPlainString();
    }
}
