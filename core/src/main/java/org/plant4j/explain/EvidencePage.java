package org.plant4j.explain;

import java.util.List;
import java.util.Locale;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Suggestion;
import org.plant4j.report.Html;

/** A note and its codes as one self-contained page: an overview, then for each code its evidence and the marked note. */
public record EvidencePage(String title, String text, List<Suggestion> codes, boolean calibrated) {

    private static final String STYLE = Html.resource(EvidencePage.class, "evidence.css");
    /** Characters shown on either side of a quoted span, a few more or less so that words stay whole. */
    private static final int AROUND = 48;

    public EvidencePage {
        codes = List.copyOf(codes);
    }

    public String toHtml() {
        StringBuilder body = new StringBuilder("<header>\n<h1>" + Html.escape(title) + "</h1>\n<p class=\"lead\">")
                .append(codes.size() == 1 ? "One code" : codes.size() + " codes")
                .append(
                        ", the most probable first; the deeper the mark, the more a word weighed.</p>\n</header>\n<main>\n");
        body.append("<ol class=\"codes\">\n");
        for (int c = 0; c < codes.size(); c++) {
            body.append("<li><a href=\"#code-" + c + "\">" + heading(codes.get(c)) + "</a>" + meter(codes.get(c))
                    + "</li>\n");
        }
        body.append("</ol>\n");
        for (int c = 0; c < codes.size(); c++) {
            body.append(section(codes.get(c), c));
        }
        return Html.page(title, STYLE, body.append("</main>\n").toString());
    }

    private String section(Suggestion code, int index) {
        HighlightedText highlight = new HighlightedText(text, code.evidence());
        StringBuilder out = new StringBuilder("<section id=\"code-" + index + "\">\n<h2>" + heading(code) + "</h2>\n");
        out.append("<p>" + (calibrated ? "Probability " : "Score ") + number("%.3f", value(code)) + "</p>\n");
        if (code.evidence().isEmpty()) {
            out.append("<p class=\"none\">No word stands out for this code.</p>\n");
        } else {
            out.append("<ol class=\"evidence\">\n");
            code.evidence().forEach(s -> out.append("<li>" + quote(s) + "</li>\n"));
            out.append("</ol>\n");
        }
        return out.append("<details" + (index == 0 ? " open" : "") + "><summary>The note</summary>\n")
                .append(highlight.toHtml())
                .append("</details>\n</section>\n")
                .toString();
    }

    private String quote(Evidence weighted) {
        Span span = weighted.span();
        Span window = new Span(wordBoundary(span.start(), -1), wordBoundary(span.end(), 1));
        return (window.start() > 0 ? "… " : "")
                + new HighlightedText(text, List.of(weighted)).toHtml(window).strip()
                + (window.end() < text.length() ? " …" : "")
                + " <small>" + number("%.3f", weighted.weight()) + "</small>";
    }

    /** From so many characters away, or from the end of the line, back to the nearest white space. */
    private int wordBoundary(int from, int direction) {
        int at = from;
        while (at > 0 && at < text.length() && Math.abs(at - from) < AROUND && !endsLine(text.charAt(at))) {
            at += direction;
        }
        while (at > 0 && at < text.length() && at != from && !Character.isWhitespace(text.charAt(at))) {
            at -= direction;
        }
        return at;
    }

    private static boolean endsLine(char c) {
        return c == '\n' || c == '\r';
    }

    private static String heading(Suggestion code) {
        return "<code>" + Html.escape(code.code()) + "</code> " + Html.escape(code.description());
    }

    private String meter(Suggestion code) {
        double share = Math.min(1, Math.max(0, value(code)));
        return "<span class=\"meter\"><i style=\"width:" + number("%.1f", 100 * share) + "%\"></i></span> <small>"
                + number("%.3f", value(code)) + "</small>";
    }

    /** The probability of a calibrated run; a score is not a probability. */
    private double value(Suggestion code) {
        return calibrated ? code.probability() : code.score();
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
