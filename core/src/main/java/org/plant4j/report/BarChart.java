package org.plant4j.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.plant4j.support.Arguments;

/** A grouped bar chart with optional error bars, rendered as inline SVG in the colours of the page. */
public final class BarChart {

    private static final double MAX_BAR_WIDTH = 34;

    private final String title;
    private final List<String> groups;
    private final List<Series> series = new ArrayList<>();
    private String xLabel = "";
    private String yLabel = "";

    private record Bar(double value, double low, double high) {}

    private record Series(String name, List<Bar> bars) {}

    private BarChart(String title, List<String> groups) {
        this.title = title;
        this.groups = List.copyOf(groups);
    }

    public static BarChart titled(String title, List<String> groups) {
        return new BarChart(title, groups);
    }

    public BarChart xLabel(String label) {
        xLabel = label;
        return this;
    }

    public BarChart yLabel(String label) {
        yLabel = label;
        return this;
    }

    /** Adds a series with one bar per group; NaN leaves a gap. */
    public BarChart bars(String name, double... values) {
        double[] nans =
                DoubleStream.generate(() -> Double.NaN).limit(values.length).toArray();
        return bars(name, values, nans, nans);
    }

    /** Adds a series with one bar and error bar per group. */
    public BarChart bars(String name, double[] values, double[] low, double[] high) {
        Arguments.check(values.length == groups.size(), "values", values.length, "one per group, " + groups.size());
        Arguments.check(low.length == values.length, "lower bounds", low.length, "one per value, " + values.length);
        Arguments.check(high.length == values.length, "upper bounds", high.length, "one per value, " + values.length);
        List<Bar> bars = new ArrayList<>();
        for (int g = 0; g < values.length; g++) {
            bars.add(new Bar(values[g], low[g], high[g]));
        }
        series.add(new Series(name, bars));
        return this;
    }

    public String toSvg() {
        DoubleStream values = series.stream()
                .flatMap(s -> s.bars.stream())
                .flatMapToDouble(bar -> DoubleStream.of(bar.value, bar.low, bar.high));
        // Bars are compared by length, so the axis includes zero.
        Axis y = Axis.fitting(
                yLabel, false, DoubleStream.concat(DoubleStream.of(0), values).toArray());
        List<String> names = series.stream().map(Series::name).toList();
        String description = (yLabel.isEmpty() ? "values" : yLabel) + " of " + String.join(", ", names) + " by "
                + (xLabel.isEmpty() ? "group" : xLabel);
        ChartFrame frame = new ChartFrame(title, description, names, false, xLabel, y.rounded());
        boolean drawn = false;
        double groupWidth = (frame.right - frame.left) / Math.max(1, groups.size());
        double width = Math.min(MAX_BAR_WIDTH, groupWidth * 0.76 / Math.max(1, series.size()));
        for (int g = 0; g < groups.size(); g++) {
            double middle = frame.left + (g + 0.5) * groupWidth;
            frame.tickLabel(middle, groups.get(g));
            for (int s = 0; s < series.size(); s++) {
                Bar bar = series.get(s).bars.get(g);
                if (Double.isFinite(bar.value)) {
                    String tooltip = names.get(s) + ", " + groups.get(g) + ": " + ChartFrame.formatValue(bar.value);
                    draw(frame, bar, s, middle + (s - series.size() / 2.0) * width, width, tooltip);
                    drawn = true;
                }
            }
        }
        if (!drawn) {
            frame.noData();
        }
        return frame.toSvg();
    }

    private static void draw(ChartFrame frame, Bar bar, int series, double x, double width, String tooltip) {
        double top = Math.min(frame.y(bar.value), frame.y(0));
        double gap = Math.min(1.5, width / 10);
        frame.bar(x + gap, top, width - 2 * gap, Math.abs(frame.y(bar.value) - frame.y(0)), series, tooltip);
        if (Double.isFinite(bar.low) && Double.isFinite(bar.high)) {
            frame.errorBar(x + width / 2, bar.low, bar.high);
        }
    }
}
