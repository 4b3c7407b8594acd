package org.plant4j.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import org.plant4j.support.Arguments;

/** A table that renders as plain text, HTML or Markdown and highlights the best value of a column. */
public record ReportTable(List<Column> columns, List<List<Cell>> rows) {

    /** Which value of a column to highlight. */
    public enum Best {
        NONE,
        HIGHEST,
        LOWEST
    }

    /**
     * A column of text or numbers.
     *
     * @param decimals decimal places; -1 for text
     * @param percent whether the values are fractions to show in percent
     */
    public record Column(String name, int decimals, boolean percent, Best best) {

        public static Column text(String name) {
            return new Column(name, -1, false, Best.NONE);
        }

        public static Column number(String name, int decimals) {
            return new Column(name, decimals, false, Best.NONE);
        }

        /** Numbers, the highest of them highlighted. */
        public static Column highest(String name, int decimals) {
            return new Column(name, decimals, false, Best.HIGHEST);
        }

        /** Numbers, the lowest of them highlighted. */
        public static Column lowest(String name, int decimals) {
            return new Column(name, decimals, false, Best.LOWEST);
        }

        /** Fractions, shown in percent with two decimal places: 0.63604 as 63.60. */
        public static Column percent(String name) {
            return new Column(name, 2, true, Best.NONE);
        }

        /** Fractions in percent, the highest of them highlighted. */
        public static Column highestPercent(String name) {
            return new Column(name, 2, true, Best.HIGHEST);
        }

        boolean numeric() {
            return decimals >= 0;
        }

        String format(double value) {
            return Double.isFinite(value)
                    ? String.format(Locale.ROOT, "%,." + Math.max(decimals, 0) + "f", percent ? 100 * value : value)
                    : "–";
        }

        String format(Cell cell) {
            return cell.text.isEmpty() && numeric() ? format(cell.value) : cell.text;
        }

        String formatInterval(Cell cell) {
            return Double.isNaN(cell.low) ? "" : format(cell.low) + "–" + format(cell.high);
        }
    }

    /** A text, or a number with an optional interval; missing numbers are NaN. */
    public record Cell(String text, double value, double low, double high) {

        public static Cell of(String text) {
            return new Cell(text, Double.NaN, Double.NaN, Double.NaN);
        }

        public static Cell of(double value) {
            return new Cell("", value, Double.NaN, Double.NaN);
        }

        public static Cell of(double value, double low, double high) {
            return new Cell("", value, low, high);
        }

        private static Cell from(Object content) {
            if (content instanceof Cell cell) {
                return cell;
            }
            return content instanceof Number number ? of(number.doubleValue()) : of(content.toString());
        }
    }

    public ReportTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            Arguments.check(row.size() == columns.size(), "cells", row.size(), "" + columns.size());
        }
    }

    public static ReportTable of(Column... columns) {
        return new ReportTable(List.of(columns), List.of());
    }

    /** The table with one more row of texts, numbers and cells. */
    public ReportTable row(Object... contents) {
        List<List<Cell>> longer = new ArrayList<>(rows);
        longer.add(Arrays.stream(contents).map(Cell::from).toList());
        return new ReportTable(columns, longer);
    }

    /** Aligned columns with a rule under the header; a star marks the best values. */
    public String toText() {
        return toText(false);
    }

    /** Like {@link #toText()}, but with the best values in bold instead of starred if {@code bold}. */
    public String toText(boolean bold) {
        List<String> best = best();
        List<List<String>> lines = lines(best, bold);
        int[] widths = new int[columns.size()];
        lines.forEach(line -> Arrays.setAll(widths, c -> Math.max(widths[c], TerminalText.width(line.get(c)))));
        StringBuilder out = new StringBuilder();
        for (int l = 0; l < lines.size(); l++) {
            StringBuilder line = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String text = lines.get(l).get(c);
                String padding = " ".repeat(widths[c] - TerminalText.width(text));
                if (bold
                        && l > 0
                        && isBest(
                                best.get(c),
                                columns.get(c).format(rows.get(l - 1).get(c)))) {
                    int length = best.get(c).length();
                    text = TerminalText.BOLD + best.get(c) + TerminalText.RESET + text.substring(length);
                }
                line.append(c == 0 ? "" : "  ").append(columns.get(c).numeric() ? padding + text : text + padding);
            }
            out.append(line.toString().stripTrailing()).append('\n');
            if (l == 0) {
                out.append("─".repeat(Math.max(0, Arrays.stream(widths).sum() + 2 * (widths.length - 1))))
                        .append('\n');
            }
        }
        return out.toString();
    }

    /** The cells as text, header first, without padding. */
    private List<List<String>> lines(List<String> best, boolean bold) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream()
                .map(column -> TerminalText.sanitize(column.name))
                .toList());
        for (List<Cell> row : rows) {
            List<String> line = new ArrayList<>();
            for (int c = 0; c < row.size(); c++) {
                String text = columns.get(c).format(row.get(c));
                String interval = columns.get(c).formatInterval(row.get(c));
                String star = bold || best.get(c).isEmpty() ? "" : best.get(c).equals(text) ? "*" : " ";
                line.add(TerminalText.sanitize(text + star + (interval.isEmpty() ? "" : " [" + interval + "]")));
            }
            lines.add(line);
        }
        return lines;
    }

    /** A {@code <table>} element in a scrollable container. */
    public String toHtml() {
        List<String> best = best();
        StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        for (Column column : columns) {
            out.append("<th scope=\"col\"")
                    .append(numberClass(column))
                    .append('>')
                    .append(Html.escape(column.name))
                    .append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        for (List<Cell> row : rows) {
            out.append("<tr>");
            for (int c = 0; c < row.size(); c++) {
                String text = Html.escape(columns.get(c).format(row.get(c)));
                String interval = columns.get(c).formatInterval(row.get(c));
                out.append("<td").append(numberClass(columns.get(c))).append('>');
                out.append(isBest(best.get(c), text) ? "<strong>" + text + "</strong>" : text);
                out.append(interval.isEmpty() ? "" : " <small>" + interval + "</small>")
                        .append("</td>");
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody>\n</table></div>\n").toString();
    }

    private static String numberClass(Column column) {
        return column.numeric() ? " class=\"number\"" : "";
    }

    public String toMarkdown() {
        List<String> best = best();
        StringBuilder out = new StringBuilder("|");
        columns.forEach(
                column -> out.append(' ').append(escapeMarkdown(column.name)).append(" |"));
        out.append("\n|");
        columns.forEach(column -> out.append(column.numeric() ? "---:|" : "---|"));
        for (List<Cell> row : rows) {
            out.append("\n|");
            for (int c = 0; c < row.size(); c++) {
                String text = escapeMarkdown(columns.get(c).format(row.get(c)));
                String interval = columns.get(c).formatInterval(row.get(c));
                out.append(' ').append(isBest(best.get(c), text) ? "**" + text + "**" : text);
                out.append(interval.isEmpty() ? "" : " (" + interval + ")").append(" |");
            }
        }
        return out.append('\n').toString();
    }

    private static String escapeMarkdown(String text) {
        return TerminalText.sanitize(text)
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;");
    }

    /** The formatted best value of each column, or an empty text. Values that are formatted alike are equally good. */
    private List<String> best() {
        List<String> best = new ArrayList<>();
        for (int c = 0; c < columns.size(); c++) {
            int index = c;
            Column column = columns.get(c);
            DoubleSummaryStatistics values = rows.stream()
                    .mapToDouble(row -> row.get(index).value)
                    .filter(Double::isFinite)
                    .summaryStatistics();
            String highest = column.format(values.getMax());
            String lowest = column.format(values.getMin());
            boolean differ = values.getCount() > 1 && !highest.equals(lowest);
            best.add(column.best == Best.NONE || !differ ? "" : column.best == Best.HIGHEST ? highest : lowest);
        }
        return best;
    }

    private static boolean isBest(String best, String text) {
        return !best.isEmpty() && best.equals(text);
    }
}
