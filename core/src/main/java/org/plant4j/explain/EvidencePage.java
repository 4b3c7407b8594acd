package org.plant4j.explain;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.plant4j.CodingResult;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.Suggestion;
import org.plant4j.report.Html;

/** Codes of documents as one self-contained HTML page, with the evidence of each code quoted and highlighted. */
public final class EvidencePage {

    private static final String STYLE = Html.resource(EvidencePage.class, "evidence.css");
    private static final String LEGEND = "Darker highlights mark stronger evidence.";
    /** Characters of context on either side of a quoted span, rounded to whole words. */
    private static final int CONTEXT = 48;

    /** A code of a document; the caption is shown with its probability. */
    public record Entry(String caption, String text, Suggestion suggestion) {}

    private final String title;
    private final String lead;
    private final Optional<String> notice;
    private final List<Entry> entries;
    private final boolean calibrated;

    private EvidencePage(String title, String lead, Optional<String> notice, List<Entry> entries, boolean calibrated) {
        this.title = title;
        this.lead = lead;
        this.notice = notice;
        this.entries = List.copyOf(entries);
        this.calibrated = calibrated;
    }

    /** The codes of one document. If {@code calibrated}, the page shows probabilities, else scores. */
    public static EvidencePage ofDocument(String title, String text, CodingResult result, boolean calibrated) {
        List<Entry> entries = result.suggestions().stream()
                .map(suggestion -> new Entry("", text, suggestion))
                .toList();
        return new EvidencePage(
                title,
                codes(entries) + ", most probable first. " + LEGEND,
                result.domain().notice(),
                entries,
                calibrated);
    }

    /** Codes of several documents in the given order. */
    public static EvidencePage ofEntries(String title, List<Entry> entries, boolean calibrated) {
        return new EvidencePage(title, codes(entries) + ". " + LEGEND, Optional.empty(), entries, calibrated);
    }

    private static String codes(List<Entry> entries) {
        return entries.size() == 1 ? "One code" : entries.size() + " codes";
    }

    public String toHtml() {
        StringBuilder body = new StringBuilder("<header>\n<h1>" + Html.escape(title) + "</h1>\n<p class=\"lead\">")
                .append(Html.escape(lead))
                .append("</p>\n</header>\n<main>\n");
        notice.ifPresent(line -> body.append("<p class=\"notice\">" + Html.escape(line) + "</p>\n"));
        body.append("<ol class=\"codes\">\n");
        for (int e = 0; e < entries.size(); e++) {
            Suggestion suggestion = entries.get(e).suggestion();
            body.append(
                    "<li><a href=\"#code-" + e + "\">" + heading(suggestion) + "</a>" + meter(suggestion) + "</li>\n");
        }
        body.append("</ol>\n");
        for (int e = 0; e < entries.size(); e++) {
            body.append(section(entries.get(e), e));
        }
        return Html.page(title, STYLE, body.append("</main>\n").toString());
    }

    private String section(Entry entry, int index) {
        Suggestion suggestion = entry.suggestion();
        HighlightedText highlight = new HighlightedText(entry.text(), suggestion.evidence());
        StringBuilder out =
                new StringBuilder("<section id=\"code-" + index + "\">\n<h2>" + heading(suggestion) + "</h2>\n");
        String caption = entry.caption().isEmpty() ? "" : Html.escape(entry.caption()) + " · ";
        out.append("<p>" + caption + (calibrated ? "Probability " : "Score ") + percent(value(suggestion)) + "</p>\n");
        if (suggestion.contradicted()) {
            out.append("<p class=\"notice\">All evidence is negated or about relatives.</p>\n");
        }
        if (suggestion.evidence().isEmpty()) {
            out.append("<p class=\"none\">No evidence found for this code.</p>\n");
        } else {
            out.append("<ol class=\"evidence\">\n");
            suggestion.evidence().forEach(s -> out.append("<li>" + quote(s, entry.text()) + "</li>\n"));
            out.append("</ol>\n");
        }
        return out.append("<details" + (index == 0 ? " open" : "") + "><summary>Document</summary>\n")
                .append(highlight.toHtml())
                .append("</details>\n</section>\n")
                .toString();
    }

    private static String quote(Evidence evidence, String text) {
        Span span = evidence.span();
        Span window = new Span(wordBoundary(text, span.start(), -1), wordBoundary(text, span.end(), 1));
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
    private static int wordBoundary(String text, int from, int direction) {
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
