package org.plant4j.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.plant4j.support.Arguments;

/** A line and scatter chart, rendered as inline SVG in the colours of the page. */
public final class LineChart {

    /** Lines with more points are drawn without markers. */
    private static final int MAX_MARKERS = 40;

    private final String title;
    private final List<Series> series = new ArrayList<>();
    private String xLabel = "";
    private String yLabel = "";
    private boolean logX;
    private boolean logY;
    private double[] yRange = {};

    /** A point with an optional interval; NaN if there is none. */
    private record Point(double x, double y, double low, double high) {}

    /** A named series: a line, or a scatter plot if {@code buckets} is positive. */
    private record Series(String name, List<Point> points, int buckets) {}

    private LineChart(String title) {
        this.title = title;
    }

    public static LineChart titled(String title) {
        return new LineChart(title);
    }

    public LineChart xLabel(String label) {
        xLabel = label;
        return this;
    }

    public LineChart yLabel(String label) {
        yLabel = label;
        return this;
    }

    /** A logarithmic axis; values of 0 and below are not drawn. */
    public LineChart logX() {
        logX = true;
        return this;
    }

    /** A logarithmic axis; values of 0 and below are not drawn. */
    public LineChart logY() {
        logY = true;
        return this;
    }

    /** Fixes the range of the y axis, which otherwise follows the data. */
    public LineChart yRange(double min, double max) {
        Arguments.check(min < max, "y range", min + " to " + max, "min < max");
        yRange = new double[] {min, max};
        return this;
    }

    /** Adds a line through the points in order; NaN leaves a gap. */
    public LineChart line(String name, double[] x, double[] y) {
        double[] nans = nans(x.length);
        return line(name, x, y, nans, nans);
    }

    /** Adds a line with a band from {@code low} to {@code high}. */
    public LineChart line(String name, double[] x, double[] y, double[] low, double[] high) {
        series.add(new Series(name, points(name, x, y, low, high), 0));
        return this;
    }

    /** Adds points and a trend line: the mean, with its 95 % band, of buckets of equal width along x. */
    public LineChart scatter(String name, double[] x, double[] y, int buckets) {
        Arguments.atLeast(1, "buckets", buckets);
        double[] nans = nans(x.length);
        series.add(new Series(name, points(name, x, y, nans, nans), buckets));
        return this;
    }

    private static double[] nans(int length) {
        return DoubleStream.generate(() -> Double.NaN).limit(length).toArray();
    }

    private static List<Point> points(String name, double[] x, double[] y, double[] low, double[] high) {
        if (y.length != x.length || low.length != x.length || high.length != x.length) {
            throw new IllegalArgumentException("series '" + name + "': arrays of different lengths");
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            points.add(new Point(x[i], y[i], low[i], high[i]));
        }
        return points;
    }

    public String toSvg() {
        double[] xs = values(point -> DoubleStream.of(point.x));
        Axis fitted = Axis.fitting(xLabel, logX, xs);
        boolean counts = xs.length > 0 && DoubleStream.of(xs).allMatch(v -> v == Math.rint(v));
        Axis x = counts ? fitted.wholeNumbers() : fitted;
        boolean fixed = yRange.length > 0;
        Axis y = Axis.fitting(
                yLabel, logY, fixed ? yRange : values(point -> DoubleStream.of(point.y, point.low, point.high)));
        List<String> names = series.stream().map(Series::name).toList();
        ChartFrame frame = new ChartFrame(title, description(names), names, true, xLabel, fixed ? y : y.rounded());
        frame.xTicks(x);
        boolean drawn = false;
        for (int i = 0; i < series.size(); i++) {
            Series shown = series.get(i);
            if (shown.buckets > 0) {
                drawScatter(frame, x, shown, i);
                shown = trend(x, frame.y, shown);
            }
            for (List<Point> segment : segments(x, frame.y, shown)) {
                drawLine(frame, x, shown.name, segment, i);
                drawn = true;
            }
        }
        if (!drawn) {
            frame.noData();
        }
        return frame.toSvg();
    }

    private String description(List<String> names) {
        return (yLabel.isEmpty() ? "y" : yLabel) + " against " + (xLabel.isEmpty() ? "x" : xLabel)
                + (names.isEmpty() ? "" : " for " + String.join(", ", names));
    }

    private double[] values(Function<Point, DoubleStream> of) {
        return series.stream()
                .flatMap(each -> each.points.stream())
                .flatMapToDouble(of)
                .toArray();
    }

    private static boolean drawable(Axis x, Axis y, Point point) {
        return x.accepts(point.x) && y.accepts(point.y);
    }

    /** One path for all points; points at the same coordinates are drawn once. */
    private static void drawScatter(ChartFrame frame, Axis x, Series series, int index) {
        String dots = series.points.stream()
                .filter(point -> drawable(x, frame.y, point))
                .map(point -> "M" + coordinates(frame, x, point.x, point.y) + "h0")
                .distinct()
                .collect(Collectors.joining());
        frame.path(dots, "fill:none;stroke-linecap:round;stroke-width:4;opacity:.28;" + ChartFrame.stroke(index));
    }

    private static Series trend(Axis xAxis, Axis yAxis, Series series) {
        SortedMap<Integer, List<Point>> buckets = series.points.stream()
                .filter(point -> drawable(xAxis, yAxis, point))
                .collect(Collectors.groupingBy(
                        point -> Math.min(series.buckets - 1, (int) (xAxis.position(point.x) * series.buckets)),
                        TreeMap::new,
                        Collectors.toList()));
        List<Point> means = buckets.values().stream()
                .map(bucket -> bucketMean(xAxis, bucket))
                .toList();
        return new Series(series.name, means, 0);
    }

    /** The mean of a bucket with its 95 % interval (normal approximation), at the bucket's mean position. */
    private static Point bucketMean(Axis xAxis, List<Point> bucket) {
        int n = bucket.size();
        double position = bucket.stream().mapToDouble(p -> xAxis.position(p.x)).sum() / n;
        double mean = bucket.stream().mapToDouble(Point::y).sum() / n;
        double squares =
                bucket.stream().mapToDouble(p -> (p.y - mean) * (p.y - mean)).sum();
        double margin = n < 2 ? Double.NaN : 1.96 * Math.sqrt(squares / (n - 1) / n);
        return new Point(xAxis.valueAt(position), mean, mean - margin, mean + margin);
    }

    /** The sequences of consecutive drawable points. */
    private static List<List<Point>> segments(Axis x, Axis y, Series series) {
        List<List<Point>> segments = new ArrayList<>();
        boolean broken = true;
        for (Point point : series.points) {
            if (!drawable(x, y, point)) {
                broken = true;
                continue;
            }
            if (broken) {
                segments.add(new ArrayList<>());
                broken = false;
            }
            segments.get(segments.size() - 1).add(point);
        }
        return segments;
    }

    private static void drawLine(ChartFrame frame, Axis x, String name, List<Point> segment, int index) {
        List<String> outline = new ArrayList<>();
        for (Point point : segment) {
            if (frame.y.accepts(point.low) && frame.y.accepts(point.high)) {
                int middle = outline.size() / 2;
                outline.add(middle, coordinates(frame, x, point.x, point.low));
                outline.add(middle, coordinates(frame, x, point.x, point.high));
            }
        }
        if (outline.size() > 2) {
            frame.path("M" + String.join("L", outline) + "Z", ChartFrame.fill(index) + ";opacity:.16");
        }
        if (segment.size() > 1) {
            String line = segment.stream()
                    .map(point -> coordinates(frame, x, point.x, point.y))
                    .collect(Collectors.joining("L", "M", ""));
            frame.path(line, "fill:none;stroke-width:2;stroke-linejoin:round;" + ChartFrame.stroke(index));
        }
        if (segment.size() <= MAX_MARKERS) {
            for (Point point : segment) {
                String tooltip = name + ": " + ChartFrame.formatValue(point.y) + " at " + Axis.format(point.x);
                frame.marker(index, frame.x(x, point.x), frame.y(point.y), 3.2, tooltip);
            }
        }
    }

    private static String coordinates(ChartFrame frame, Axis x, double atX, double atY) {
        return ChartFrame.coordinate(frame.x(x, atX)) + " " + ChartFrame.coordinate(frame.y(atY));
    }
}
