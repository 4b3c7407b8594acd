package org.plant4j.explain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.plant4j.Evidence;
import org.plant4j.Span;
import org.plant4j.report.Html;
import org.plant4j.support.Arguments;

/** A text with highlighted evidence spans, rendered for a terminal or as HTML. The output is sanitized. */
public record HighlightedText(String text, List<Evidence> spans) {

    /** A highlighted section of the text; strength is its weight relative to the largest weight. */
    public record Fragment(int start, int end, double weight, double strength) {}

    public HighlightedText {
        spans = spans.stream()
                .filter(s -> s.span().length() > 0)
                .sorted(Comparator.comparing(Evidence::span))
                .toList();
        for (Evidence weighted : spans) {
            int end = weighted.span().end();
            Arguments.check(
                    end <= text.length(), "end of span", end, "at most the length of the text, " + text.length());
        }
    }

    /** Lines for a terminal, each terminated by a line feed. */
    public String toTerminal(TerminalStyle style) {
        return new TerminalHighlighter(this, style).render();
    }

    /** A {@code <div>} with inline styles; pages may set the highlight colour with the CSS variable {@code --mark}. */
    public String toHtml() {
        return "<div class=\"document\" style=\"white-space:pre-wrap;overflow-wrap:anywhere\">"
                + toHtml(new Span(0, text.length())) + "</div>";
    }

    /** A window of the text with {@code <mark>} elements, without a surrounding element. */
    String toHtml(Span window) {
        StringBuilder out = new StringBuilder();
        int at = window.start();
        for (Fragment fragment : fragments()) {
            int start = Math.max(fragment.start, at);
            int end = Math.min(fragment.end, window.end());
            if (start < end) {
                out.append(Html.escape(text.substring(at, start)))
                        .append(open(fragment))
                        .append(Html.escape(text.substring(start, end)))
                        .append("</mark>");
                at = end;
            }
        }
        return out.append(Html.escape(text.substring(at, window.end()))).toString();
    }

    private static String open(Fragment fragment) {
        return String.format(
                Locale.ROOT,
                "<mark title=\"weight %.1f %%\" style=\"color:inherit;border-radius:.2em;background:rgba(var(--mark,224,148,20),%.2f)\">",
                100 * fragment.weight,
                0.15 + 0.6 * fragment.strength);
    }

    /** The highlighted sections in order. Where spans overlap, the largest weight counts. */
    List<Fragment> fragments() {
        double maxWeight = spans.stream().mapToDouble(Evidence::weight).max().orElse(0);
        TreeSet<Integer> boundaries = new TreeSet<>();
        for (Evidence weighted : spans) {
            boundaries.add(codePointBoundary(weighted.span().start(), -1));
            boundaries.add(codePointBoundary(weighted.span().end(), 1));
        }
        List<Fragment> fragments = new ArrayList<>();
        for (int start : boundaries) {
            Integer end = boundaries.higher(start);
            if (end != null) {
                Span here = new Span(start, end);
                spans.stream()
                        .filter(s -> s.span().overlaps(here))
                        .mapToDouble(Evidence::weight)
                        .max()
                        .ifPresent(w -> fragments.add(new Fragment(start, end, w, maxWeight == 0 ? 0 : w / maxWeight)));
            }
        }
        return fragments;
    }

    /** Moves a boundary inside a surrogate pair outwards, so that no code point is split. */
    private int codePointBoundary(int boundary, int outwards) {
        boolean inside = boundary > 0
                && boundary < text.length()
                && Character.isSurrogatePair(text.charAt(boundary - 1), text.charAt(boundary));
        return inside ? boundary + outwards : boundary;
    }
}
