package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.plant4j.corpus.Span;
import org.plant4j.prediction.Evidence;
import org.plant4j.report.Html;

/** A text with its evidence marked, the stronger the heavier; safe to show whatever the text holds. */
public record HighlightedText(String text, List<Evidence> spans) {

    /** A stretch that is marked as one; strength is its weight relative to the heaviest. */
    public record Fragment(int start, int end, double weight, double strength) {}

    public HighlightedText {
        spans = spans.stream()
                .filter(s -> s.span().length() > 0)
                .sorted(Comparator.comparing(Evidence::span))
                .toList();
        for (Evidence weighted : spans) {
            if (weighted.span().end() > text.length()) {
                throw new IllegalArgumentException("span: ends at "
                        + weighted.span().end() + " (expected: at most " + text.length() + ", the length of the text)");
            }
        }
    }

    /** Lines for a terminal, each ended by a line feed. */
    public String toTerminal(TerminalStyle style) {
        return new TerminalHighlighter(this, style).render();
    }

    /** A {@code <div>} that carries its own style and takes the page's colour for marks, if it names one. */
    public String toHtml() {
        return "<div class=\"note\" style=\"white-space:pre-wrap;overflow-wrap:anywhere\">"
                + toHtml(new Span(0, text.length())) + "</div>";
    }

    /** The marked-up stretch itself, without an element around it. */
    String toHtml(Span window) {
        StringBuilder out = new StringBuilder();
        int at = window.start();
        for (Fragment piece : fragments()) {
            int start = Math.max(piece.start, at);
            int end = Math.min(piece.end, window.end());
            if (start < end) {
                out.append(Html.escape(text.substring(at, start)))
                        .append(open(piece))
                        .append(Html.escape(text.substring(start, end)))
                        .append("</mark>");
                at = end;
            }
        }
        return out.append(Html.escape(text.substring(at, window.end()))).toString();
    }

    private static String open(Fragment piece) {
        return String.format(
                Locale.ROOT,
                "<mark title=\"weight %.3f\" style=\"color:inherit;border-radius:.2em;background:rgba(var(--mark,224,148,20),%.2f)\">",
                piece.weight,
                0.15 + 0.6 * piece.strength);
    }

    /** The marked stretches in order, none overlapping: where spans overlap the heavier one counts. */
    List<Fragment> fragments() {
        double heaviest = spans.stream().mapToDouble(Evidence::weight).max().orElse(0);
        TreeSet<Integer> cuts = new TreeSet<>();
        for (Evidence weighted : spans) {
            cuts.add(codePointBoundary(weighted.span().start(), -1));
            cuts.add(codePointBoundary(weighted.span().end(), 1));
        }
        List<Fragment> pieces = new ArrayList<>();
        for (int start : cuts) {
            Integer end = cuts.higher(start);
            if (end != null) {
                Span here = new Span(start, end);
                spans.stream()
                        .filter(s -> s.span().overlaps(here))
                        .mapToDouble(Evidence::weight)
                        .max()
                        .ifPresent(w -> pieces.add(new Fragment(start, end, w, heaviest == 0 ? 0 : w / heaviest)));
            }
        }
        return pieces;
    }

    /** A boundary inside a surrogate pair moves outwards, so that no emoji is cut in half. */
    private int codePointBoundary(int boundary, int outwards) {
        boolean inside = boundary > 0
                && boundary < text.length()
                && Character.isSurrogatePair(text.charAt(boundary - 1), text.charAt(boundary));
        return inside ? boundary + outwards : boundary;
    }
}
