package org.plant4j.report;

import java.util.List;
import java.util.Locale;

/** The frame of a chart as SVG: title, legend, grid and axes, and the coordinates of the plot area. */
final class ChartFrame {

    private static final int WIDTH = 480;
    private static final int HEIGHT = 300;
    /** The Okabe-Ito palette, safe for colour-blind readers; a page may override it with CSS variables. */
    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#b0568b", "#b98600", "#3a9ad0"};

    private static final String INK = "fill:var(--ink,#1b2420)";
    private static final String MUTED = "fill:var(--muted,#5f6b65)";
    private static final String GRID = "stroke:var(--grid,#e9edea)";
    private static final String RULE = "stroke:var(--rule,#c9d0cc)";

    final double left;
    final double right = WIDTH - 14.0;
    final double top;
    final double bottom = HEIGHT - 42.0;
    final Axis y;
    private final StringBuilder svg = new StringBuilder();

    ChartFrame(String title, String description, List<String> legend, boolean lines, String xLabel, Axis y) {
        this.y = y;
        List<Double> ticks = y.ticks();
        int longest =
                ticks.stream().mapToInt(t -> Axis.format(t).length()).max().orElse(1);
        left = 18 + 6.6 * longest;

        svg.append("<svg class=\"chart\" role=\"img\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" aria-label=\"")
                .append(Html.escape(title + ": " + description))
                .append("\" style=\"font:12px Inter,system-ui,sans-serif\">\n<title>")
                .append(Html.escape(title))
                .append("</title>\n");
        text(8, 18, "start", INK + ";font-size:14px;font-weight:600", title);
        top = (legend.size() > 1 ? legend(legend, lines) : 22) + 40;
        text(8, top - 15, "start", MUTED, y.label());
        for (double tick : ticks) {
            line(left, y(tick), right, y(tick), GRID);
            text(left - 8, y(tick) + 4, "end", MUTED, Axis.format(tick));
        }
        line(left, bottom, right, bottom, RULE);
        text((left + right) / 2, HEIGHT - 8.0, "middle", MUTED, xLabel);
    }

    /** Draws the legend in rows below the title and returns the baseline of the last row. */
    private double legend(List<String> names, boolean lines) {
        double x = 8;
        double baseline = 40;
        for (int i = 0; i < names.size(); i++) {
            double width = 22 + width(names.get(i));
            if (x > 8 && x + width > WIDTH - 8) {
                x = 8;
                baseline += 17;
            }
            if (lines) {
                line(x, baseline - 4, x + 16, baseline - 4, stroke(i) + ";stroke-width:2");
                marker(i, x + 8, baseline - 4, 3.2, "");
            } else {
                bar(x + 2, baseline - 10, 11, 11, i, "");
            }
            text(x + 22, baseline, "start", INK, names.get(i));
            x += width + 18;
        }
        return baseline;
    }

    /** Estimated width of a label at 12 pixels; the browser's font metrics are unknown here. */
    private static double width(String label) {
        return label.codePoints()
                .mapToDouble(c -> "fijlrtI.,:;'|!()[] ".indexOf(c) >= 0 ? 4 : Character.isUpperCase(c) ? 8.4 : 7)
                .sum();
    }

    void xTicks(Axis x) {
        for (double tick : x.ticks()) {
            line(x(x, tick), bottom, x(x, tick), bottom + 4, RULE);
            text(x(x, tick), bottom + 17, "middle", MUTED, Axis.format(tick));
        }
    }

    double x(Axis x, double value) {
        return left + x.position(value) * (right - left);
    }

    double y(double value) {
        return bottom - y.position(value) * (bottom - top);
    }

    void tickLabel(double x, String label) {
        text(x, bottom + 17, "middle", MUTED, label);
    }

    /** Draws a placeholder for an empty chart. */
    void noData() {
        text((left + right) / 2, (top + bottom) / 2, "middle", MUTED, "no data");
    }

    void line(double x1, double y1, double x2, double y2, String style) {
        path(
                "M" + coordinate(x1) + " " + coordinate(y1) + "L" + coordinate(x2) + " " + coordinate(y2),
                "fill:none;" + style);
    }

    void path(String d, String style) {
        svg.append("<path d=\"").append(d).append("\" style=\"").append(style).append("\"/>\n");
    }

    /** A marker whose shape changes with its colour, so that series differ in more than colour. */
    void marker(int series, double x, double y, double r, String tooltip) {
        double wide = r * 1.25;
        String shape = switch (series % 4) {
            case 0 ->
                "M" + coordinate(x - r) + " " + coordinate(y) + "a" + coordinate(r) + " " + coordinate(r) + " 0 1 0 "
                        + coordinate(2 * r) + " 0a" + coordinate(r) + " " + coordinate(r) + " 0 1 0 "
                        + coordinate(-2 * r) + " 0z";
            case 1 ->
                "M" + coordinate(x - r) + " " + coordinate(y - r) + "h" + coordinate(2 * r) + "v" + coordinate(2 * r)
                        + "h" + coordinate(-2 * r) + "z";
            case 2 ->
                "M" + coordinate(x) + " " + coordinate(y - wide) + "l" + coordinate(wide) + " " + coordinate(2 * r)
                        + "h" + coordinate(-2 * wide) + "z";
            default ->
                "M" + coordinate(x) + " " + coordinate(y - wide) + "l" + coordinate(wide) + " " + coordinate(wide) + "l"
                        + coordinate(-wide) + " " + coordinate(wide) + "l" + coordinate(-wide) + " " + coordinate(-wide)
                        + "z";
        };
        svg.append("<path d=\"")
                .append(shape)
                .append("\" style=\"")
                .append(fill(series))
                .append("\">");
        svg.append(title(tooltip)).append("</path>\n");
    }

    void bar(double x, double y, double width, double height, int series, String tooltip) {
        svg.append("<rect x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" width=\"" + coordinate(width)
                        + "\" height=\"" + coordinate(height))
                .append("\" rx=\"1.5\" style=\"" + fill(series) + "\">" + title(tooltip) + "</rect>\n");
    }

    /** A thin vertical line from low to high. */
    void errorBar(double x, double low, double high) {
        String d = "M" + coordinate(x - 3) + " " + coordinate(y(low)) + "h6m-3 0V" + coordinate(y(high)) + "m-3 0h6";
        path(d, "fill:none;stroke:var(--ink,#1b2420);stroke-width:1.2;opacity:.7");
    }

    private void text(double x, double y, String anchor, String style, String text) {
        if (!text.isEmpty()) {
            svg.append("<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor
                            + "\" style=\"" + style + "\">")
                    .append(Html.escape(text))
                    .append("</text>\n");
        }
    }

    private static String title(String tooltip) {
        return tooltip.isEmpty() ? "" : "<title>" + Html.escape(tooltip) + "</title>";
    }

    static String stroke(int series) {
        return "stroke:" + colour(series);
    }

    static String fill(int series) {
        return "fill:" + colour(series);
    }

    private static String colour(int series) {
        int i = series % COLOURS.length;
        return "var(--series-" + (i + 1) + "," + COLOURS[i] + ")";
    }

    /** A coordinate in tenths of a pixel, formatted independently of the locale. */
    static String coordinate(double value) {
        long tenths = Math.round(value * 10);
        String whole = (tenths < 0 ? "-" : "") + Math.abs(tenths) / 10;
        return tenths % 10 == 0 ? whole : whole + "." + Math.abs(tenths) % 10;
    }

    /** A value in a tooltip. */
    static String formatValue(double value) {
        return Math.abs(value) >= 1_000 ? Axis.format(value) : String.format(Locale.ROOT, "%.4g", value);
    }

    String toSvg() {
        return svg + "</svg>\n";
    }
}
