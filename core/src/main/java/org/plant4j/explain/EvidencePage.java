package org.plant4j.explain;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.plant4j.corpus.Span;
import org.plant4j.domain.DomainCheck;
import org.plant4j.prediction.CodingResult;
import org.plant4j.prediction.Evidence;
import org.plant4j.prediction.Suggestion;
import org.plant4j.report.Html;

/** A document and its suggested codes as one self-contained HTML page, with the evidence of each code highlighted. */
public final class EvidencePage {

    private static final String STYLE = Html.resource(EvidencePage.class, "evidence.css");
    /** Characters of context on either side of a quoted span, rounded to whole words. */
    private static final int CONTEXT = 48;

    private final String title;
    private final String text;
    private final DomainCheck domain;
    private final List<Suggestion> suggestions;
    private final boolean calibrated;

    /** If {@code calibrated}, the page shows probabilities, else scores. */
    public EvidencePage(String title, String text, CodingResult result, boolean calibrated) {
        this.title = title;
        this.text = text;
        this.domain = result.domain();
        this.suggestions = result.suggestions();
        this.calibrated = calibrated;
    }

    public String toHtml() {
        StringBuilder body = new StringBuilder("<header>\n<h1>" + Html.escape(title) + "</h1>\n<p class=\"lead\">")
                .append(suggestions.size() == 1 ? "One code" : suggestions.size() + " codes")
                .append(", most probable first. Darker highlights mark stronger evidence.</p>\n</header>\n<main>\n");
        domain.notice().ifPresent(notice -> body.append("<p class=\"notice\">" + Html.escape(notice) + "</p>\n"));
        body.append("<ol class=\"codes\">\n");
        for (int c = 0; c < suggestions.size(); c++) {
            body.append("<li><a href=\"#code-" + c + "\">" + heading(suggestions.get(c)) + "</a>"
                    + meter(suggestions.get(c)) + "</li>\n");
        }
        body.append("</ol>\n");
        for (int c = 0; c < suggestions.size(); c++) {
            body.append(section(suggestions.get(c), c));
        }
        return Html.page(title, STYLE, body.append("</main>\n").toString());
    }

    private String section(Suggestion suggestion, int index) {
        HighlightedText highlight = new HighlightedText(text, suggestion.evidence());
        StringBuilder out =
                new StringBuilder("<section id=\"code-" + index + "\">\n<h2>" + heading(suggestion) + "</h2>\n");
        out.append("<p>" + (calibrated ? "Probability " : "Score ") + percent(value(suggestion)) + "</p>\n");
        if (suggestion.contradicted()) {
            out.append("<p class=\"notice\">All evidence is negated or about relatives.</p>\n");
        }
        if (suggestion.evidence().isEmpty()) {
            out.append("<p class=\"none\">No evidence found for this code.</p>\n");
        } else {
            out.append("<ol class=\"evidence\">\n");
            suggestion.evidence().forEach(s -> out.append("<li>" + quote(s) + "</li>\n"));
            out.append("</ol>\n");
        }
        return out.append("<details" + (index == 0 ? " open" : "") + "><summary>Document</summary>\n")
                .append(highlight.toHtml())
                .append("</details>\n</section>\n")
                .toString();
    }

    private String quote(Evidence evidence) {
        Span span = evidence.span();
        Span window = new Span(wordBoundary(span.start(), -1), wordBoundary(span.end(), 1));
        return (window.start() > 0 ? "… " : "")
                + new HighlightedText(text, List.of(evidence)).toHtml(window).strip()
                + (window.end() < text.length() ? " …" : "")
                + " <small>" + percent(evidence.weight()) + "</small>" + tags(evidence);
    }

    private static String tags(Evidence evidence) {
        return evidence.traits().stream()
                .map(trait -> " <span class=\"tag\">" + trait.label() + "</span>")
                .collect(Collectors.joining());
    }

    /** The nearest white space within the context, or the end of the line. */
    private int wordBoundary(int from, int direction) {
        int at = from;
        while (at > 0 && at < text.length() && Math.abs(at - from) < CONTEXT && !endsLine(text.charAt(at))) {
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

    private static String heading(Suggestion suggestion) {
        return "<code>" + Html.escape(suggestion.code()) + "</code> " + Html.escape(suggestion.description());
    }

    private String meter(Suggestion suggestion) {
        double fraction = Math.min(1, Math.max(0, value(suggestion)));
        return "<span class=\"meter\"><i style=\"width:" + String.format(Locale.ROOT, "%.1f", 100 * fraction)
                + "%\"></i></span> <small>" + percent(value(suggestion)) + "</small>";
    }

    /** The probability of a calibrated run; a score is not a probability. */
    private double value(Suggestion suggestion) {
        return calibrated ? suggestion.probability() : suggestion.score();
    }

    private static String percent(double fraction) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * fraction);
    }
}
