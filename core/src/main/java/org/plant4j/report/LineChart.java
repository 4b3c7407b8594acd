package org.plant4j.report;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Lines and points over two axes, drawn as an inline SVG whose colours follow the page's theme. */
public final class LineChart {

    /** Most points of a line that still carry a mark each; a longer line is drawn bare. */
    private static final int MAX_MARKERS = 40;

    private final String title;
    private final List<Layer> layers = new ArrayList<>();
    private String xLabel = "";
    private String yLabel = "";
    private boolean logX;
    private boolean logY;
    private double[] yRange = {};

    /** A point and its band; {@code low} and {@code high} are NaN where it has none. */
    private record Point(double x, double y, double low, double high) {}

    /** A named run of points: a line, or where there are buckets a scatter. */
    private record Layer(String name, List<Point> points, int buckets) {}

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

    /** Values not above zero are left out. */
    public LineChart logX() {
        logX = true;
        return this;
    }

    /** Values not above zero are left out. */
    public LineChart logY() {
        logY = true;
        return this;
    }

    /** Fixes the ends of the y axis, which otherwise follow the data. */
    public LineChart yRange(double min, double max) {
        if (!(min < max)) {
            throw new IllegalArgumentException("y range: " + min + " to " + max + " (expected: min < max)");
        }
        yRange = new double[] {min, max};
        return this;
    }

    /** A line through the points in order; NaN leaves a gap. */
    public LineChart line(String name, double[] x, double[] y) {
        double[] unknown = nans(x.length);
        return line(name, x, y, unknown, unknown);
    }

    /** A line with a band from {@code low} to {@code high} around it. */
    public LineChart line(String name, double[] x, double[] y, double[] low, double[] high) {
        layers.add(new Layer(name, scatter(name, x, y, low, high), 0));
        return this;
    }

    /** Faint points and over them the mean of each of so many equally wide buckets along x, with its 95 % band. */
    public LineChart scatter(String name, double[] x, double[] y, int buckets) {
        if (buckets < 1) {
            throw new IllegalArgumentException("buckets: " + buckets + " (expected: >= 1)");
        }
        double[] unknown = nans(x.length);
        layers.add(new Layer(name, scatter(name, x, y, unknown, unknown), buckets));
        return this;
    }

    private static double[] nans(int length) {
        return DoubleStream.generate(() -> Double.NaN).limit(length).toArray();
    }

    private static List<Point> scatter(String name, double[] x, double[] y, double[] low, double[] high) {
        if (y.length != x.length || low.length != x.length || high.length != x.length) {
            throw new IllegalArgumentException("series '" + name + "': arrays of different length");
        }
        List<Point> points = new ArrayList<>();
        for (int i = 0; i < x.length; i++) {
            points.add(new Point(x[i], y[i], low[i], high[i]));
        }
        return points;
    }

    public String toSvg() {
        double[] xs = values(point -> DoubleStream.of(point.x));
        Axis around = Axis.fitting(xLabel, logX, xs);
        boolean counts = xs.length > 0 && DoubleStream.of(xs).allMatch(v -> v == Math.rint(v));
        Axis x = counts ? around.wholeNumbers() : around;
        boolean fixed = yRange.length > 0;
        Axis y = Axis.fitting(
                yLabel, logY, fixed ? yRange : values(point -> DoubleStream.of(point.y, point.low, point.high)));
        List<String> names = layers.stream().map(Layer::name).toList();
        ChartFrame frame = new ChartFrame(title, description(names), names, true, xLabel, fixed ? y : y.rounded());
        frame.xTicks(x);
        boolean drawn = false;
        for (int series = 0; series < layers.size(); series++) {
            Layer layer = layers.get(series);
            if (layer.buckets > 0) {
                drawScatter(frame, x, layer, series);
                layer = trend(x, frame.y, layer);
            }
            for (List<Point> stretch : segments(x, frame.y, layer)) {
                draw(frame, x, layer.name, stretch, series);
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
        return layers.stream()
                .flatMap(layer -> layer.points.stream())
                .flatMapToDouble(of)
                .toArray();
    }

    private static boolean drawable(Axis x, Axis y, Point point) {
        return x.accepts(point.x) && y.accepts(point.y);
    }

    /** One path for all points; points that fall on each other are drawn once. */
    private static void drawScatter(ChartFrame frame, Axis x, Layer layer, int series) {
        String dots = layer.points.stream()
                .filter(point -> drawable(x, frame.y, point))
                .map(point -> "M" + at(frame, x, point.x, point.y) + "h0")
                .distinct()
                .collect(Collectors.joining());
        frame.path(dots, "fill:none;stroke-linecap:round;stroke-width:4;opacity:.28;" + ChartFrame.stroke(series));
    }

    private static Layer trend(Axis xAxis, Axis yAxis, Layer layer) {
        SortedMap<Integer, List<Point>> buckets = layer.points.stream()
                .filter(point -> drawable(xAxis, yAxis, point))
                .collect(Collectors.groupingBy(
                        point -> Math.min(layer.buckets - 1, (int) (xAxis.position(point.x) * layer.buckets)),
                        TreeMap::new,
                        Collectors.toList()));
        List<Point> means = buckets.values().stream()
                .map(bucket -> bucketMean(xAxis, bucket))
                .toList();
        return new Layer(layer.name, means, 0);
    }

    /** The middle of a bucket as the axis counts, and the mean with the 95 % interval of its normal approximation. */
    private static Point bucketMean(Axis xAxis, List<Point> bucket) {
        int n = bucket.size();
        double place = bucket.stream().mapToDouble(p -> xAxis.position(p.x)).sum() / n;
        double mean = bucket.stream().mapToDouble(Point::y).sum() / n;
        double squares =
                bucket.stream().mapToDouble(p -> (p.y - mean) * (p.y - mean)).sum();
        double room = n < 2 ? Double.NaN : 1.96 * Math.sqrt(squares / (n - 1) / n);
        return new Point(xAxis.valueAt(place), mean, mean - room, mean + room);
    }

    /** The runs of neighbouring points that can be drawn. */
    private static List<List<Point>> segments(Axis x, Axis y, Layer layer) {
        List<List<Point>> stretches = new ArrayList<>();
        boolean broken = true;
        for (Point point : layer.points) {
            if (!drawable(x, y, point)) {
                broken = true;
                continue;
            }
            if (broken) {
                stretches.add(new ArrayList<>());
                broken = false;
            }
            stretches.get(stretches.size() - 1).add(point);
        }
        return stretches;
    }

    private static void draw(ChartFrame frame, Axis x, String name, List<Point> stretch, int series) {
        List<String> outline = new ArrayList<>();
        for (Point point : stretch) {
            if (frame.y.accepts(point.low) && frame.y.accepts(point.high)) {
                int middle = outline.size() / 2;
                outline.add(middle, at(frame, x, point.x, point.low));
                outline.add(middle, at(frame, x, point.x, point.high));
            }
        }
        if (outline.size() > 2) {
            frame.path("M" + String.join("L", outline) + "Z", ChartFrame.fill(series) + ";opacity:.16");
        }
        if (stretch.size() > 1) {
            String line = stretch.stream()
                    .map(point -> at(frame, x, point.x, point.y))
                    .collect(Collectors.joining("L", "M", ""));
            frame.path(line, "fill:none;stroke-width:2;stroke-linejoin:round;" + ChartFrame.stroke(series));
        }
        if (stretch.size() <= MAX_MARKERS) {
            for (Point point : stretch) {
                String tooltip = name + ": " + ChartFrame.formatValue(point.y) + " at " + Axis.format(point.x);
                frame.marker(series, frame.x(x, point.x), frame.y(point.y), 3.2, tooltip);
            }
        }
    }

    private static String at(ChartFrame frame, Axis x, double atX, double atY) {
        return ChartFrame.coordinate(frame.x(x, atX)) + " " + ChartFrame.coordinate(frame.y(atY));
    }
}
