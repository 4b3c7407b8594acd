package org.plant4j.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;

/** A table for the terminal, a page or Markdown; the best value of a column stands out in each. */
public record ReportTable(List<Column> columns, List<List<Cell>> rows) {

    /** Which value of a column is the best. */
    public enum Best {
        NONE,
        HIGHEST,
        LOWEST
    }

    /** A column of text, or of numbers with as many decimals; {@code decimals} is -1 for text. */
    public record Column(String name, int decimals, Best best) {

        public static Column text(String name) {
            return new Column(name, -1, Best.NONE);
        }

        public static Column number(String name, int decimals) {
            return new Column(name, decimals, Best.NONE);
        }

        public static Column highest(String name, int decimals) {
            return new Column(name, decimals, Best.HIGHEST);
        }

        public static Column lowest(String name, int decimals) {
            return new Column(name, decimals, Best.LOWEST);
        }

        boolean numeric() {
            return decimals >= 0;
        }

        String format(double value) {
            return Double.isFinite(value)
                    ? String.format(Locale.ROOT, "%,." + Math.max(decimals, 0) + "f", value)
                    : "–";
        }

        String format(Cell cell) {
            return cell.text.isEmpty() && numeric() ? format(cell.value) : cell.text;
        }

        String formatInterval(Cell cell) {
            return Double.isNaN(cell.low) ? "" : format(cell.low) + "–" + format(cell.high);
        }
    }

    /** A text, or a number with or without its interval; NaN where a part is missing. */
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
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("row: " + row.size() + " cells (expected: " + columns.size() + ")");
            }
        }
    }

    public static ReportTable of(Column... columns) {
        return new ReportTable(List.of(columns), List.of());
    }

    /** The table with one more row, of texts, numbers and cells. */
    public ReportTable row(Object... contents) {
        List<List<Cell>> longer = new ArrayList<>(rows);
        longer.add(Arrays.stream(contents).map(Cell::from).toList());
        return new ReportTable(columns, longer);
    }

    /** Aligned columns under a rule; the best values carry a star. */
    public String toText() {
        return toText(false);
    }

    /** Aligned columns under a rule; the best values are bold on a terminal that can show it, else they carry a star. */
    public String toText(boolean bold) {
        List<String> best = best();
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
        int[] widths = new int[columns.size()];
        lines.forEach(line -> Arrays.setAll(widths, c -> Math.max(widths[c], TerminalText.width(line.get(c)))));

        StringBuilder out = new StringBuilder();
        for (int l = 0; l < lines.size(); l++) {
            StringBuilder padded = new StringBuilder();
            for (int c = 0; c < widths.length; c++) {
                String text = lines.get(l).get(c);
                String padding = " ".repeat(widths[c] - TerminalText.width(text));
                if (bold
                        && l > 0
                        && isBest(
                                best.get(c),
                                columns.get(c).format(rows.get(l - 1).get(c)))) {
                    int value = best.get(c).length();
                    text = TerminalText.BOLD + best.get(c) + TerminalText.RESET + text.substring(value);
                }
                padded.append(c == 0 ? "" : "  ").append(columns.get(c).numeric() ? padding + text : text + padding);
            }
            out.append(padded.toString().stripTrailing()).append('\n');
            if (l == 0) {
                out.append("─".repeat(Math.max(0, Arrays.stream(widths).sum() + 2 * (widths.length - 1))))
                        .append('\n');
            }
        }
        return out.toString();
    }

    /** A {@code <table>} for {@link ReportPage} or any page. */
    public String toHtml() {
        List<String> best = best();
        StringBuilder out = new StringBuilder("<div class=\"scroll\"><table>\n<thead><tr>");
        for (Column column : columns) {
            out.append("<th scope=\"col\"")
                    .append(kind(column))
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
                out.append("<td").append(kind(columns.get(c))).append('>');
                out.append(isBest(best.get(c), text) ? "<strong>" + text + "</strong>" : text);
                out.append(interval.isEmpty() ? "" : " <small>" + interval + "</small>")
                        .append("</td>");
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody>\n</table></div>\n").toString();
    }

    private static String kind(Column column) {
        return column.numeric() ? " class=\"number\"" : "";
    }

    public String toMarkdown() {
        List<String> best = best();
        StringBuilder out = new StringBuilder("|");
        columns.forEach(column -> out.append(' ').append(markdown(column.name)).append(" |"));
        out.append("\n|");
        columns.forEach(column -> out.append(column.numeric() ? "---:|" : "---|"));
        for (List<Cell> row : rows) {
            out.append("\n|");
            for (int c = 0; c < row.size(); c++) {
                String text = markdown(columns.get(c).format(row.get(c)));
                String interval = columns.get(c).formatInterval(row.get(c));
                out.append(' ').append(isBest(best.get(c), text) ? "**" + text + "**" : text);
                out.append(interval.isEmpty() ? "" : " (" + interval + ")").append(" |");
            }
        }
        return out.append('\n').toString();
    }

    private static String markdown(String text) {
        return TerminalText.sanitize(text)
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("<", "&lt;");
    }

    /**
     * How the best value of each column reads, or nothing where none stands out. Rows that read the same share its mark:
     * a difference too small to print is none.
     */
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
