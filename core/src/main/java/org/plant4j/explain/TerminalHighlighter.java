package org.plant4j.explain;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.plant4j.Span;
import org.plant4j.report.TerminalText;

/** Renders a highlighted text for a terminal: selects sentences, wraps words, and closes highlights at line ends. */
final class TerminalHighlighter {

    private static final Pattern LINE_END = Pattern.compile("\r\n|[\r\n\u0085\u2028\u2029]");
    /** Backgrounds of the 256-colour palette from pale yellow to orange; black text on them is readable in any theme. */
    private static final int[] BACKGROUNDS = {230, 229, 228, 221, 214};

    private static final int NONE = -1;

    private final String text;
    private final List<HighlightedText.Fragment> fragments;
    private final TerminalStyle style;
    private final StringBuilder out = new StringBuilder();
    private int column;
    /** The fragment whose highlight is open, or NONE. */
    private int open = NONE;

    TerminalHighlighter(HighlightedText highlight, TerminalStyle style) {
        this.text = highlight.text();
        this.fragments = highlight.fragments();
        this.style = style;
    }

    /** A sentence and its line number in the text. */
    private record Sentence(Span span, int line) {}

    String render() {
        List<Sentence> sentences = sentences();
        boolean[] shown = shown(sentences);
        boolean elided = false;
        int line = 0;
        for (int s = 0; s < shown.length; s++) {
            if (!shown[s]) {
                elided = true;
                continue;
            }
            Sentence sentence = sentences.get(s);
            boolean newLine = sentence.line > line;
            if (newLine && (style.wholeText() || !out.isEmpty())) {
                // Blank lines are only kept when the whole text is shown.
                endLines(style.wholeText() ? sentence.line - line : 1);
            }
            line = sentence.line;
            if (elided) {
                put(column == 0 ? "… " : " … ");
            }
            Span span = sentence.span;
            write(elided ? skipBlanks(span) : span, !elided && column == 0);
            elided = false;
        }
        if (elided) {
            put(column == 0 ? "…" : " …");
        }
        endLines(1);
        return out.toString();
    }

    private List<Sentence> sentences() {
        List<Sentence> sentences = new ArrayList<>();
        BreakIterator breaks = BreakIterator.getSentenceInstance(Locale.ROOT);
        Matcher ends = LINE_END.matcher(text);
        int start = 0;
        for (int line = 0; start <= text.length(); line++) {
            boolean more = ends.find(start);
            int end = more ? ends.start() : text.length();
            if (!text.substring(start, end).isBlank()) {
                breaks.setText(text.substring(start, end));
                // A sentence includes the blanks before it, so that consecutive sentences lose none.
                int from = start;
                for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
                    int last = start
                            + text.substring(start, start + to).stripTrailing().length();
                    if (last > from) {
                        sentences.add(new Sentence(new Span(from, last), line));
                        from = last;
                    }
                }
            }
            start = more ? ends.end() : text.length() + 1;
        }
        return sentences;
    }

    private boolean[] shown(List<Sentence> sentences) {
        boolean[] shown = new boolean[sentences.size()];
        for (int s = 0; s < shown.length; s++) {
            Span span = sentences.get(s).span;
            boolean evidence = fragments.stream().anyMatch(p -> span.overlaps(new Span(p.start(), p.end())));
            if (style.wholeText()) {
                shown[s] = true;
            } else if (evidence) {
                int last = Math.min(shown.length - 1, s + style.context());
                for (int near = Math.max(0, s - style.context()); near <= last; near++) {
                    shown[near] = true;
                }
            }
        }
        return shown;
    }

    /** Writes word by word. The blanks before a word are dropped if the word starts a new line. */
    private void write(Span span, boolean indented) {
        int at = span.start();
        boolean first = indented;
        while (at < span.end()) {
            int word = skipBlanks(new Span(at, span.end())).start();
            int end = word;
            while (end < span.end() && !Character.isWhitespace(text.charAt(end))) {
                end++;
            }
            int blanks = first ? Math.min(word - at, style.width() / 2) : word - at;
            if (end == word) {
                return;
            }
            // Reserve a column for the closing quote of a highlight that ends before this word.
            int closing = !style.colour() && open != NONE && fragmentAt(at) != open ? 1 : 0;
            if (column > 0 && column + closing + blanks + width(word, end) > style.width()) {
                endLines(1);
            } else {
                put(at, at + blanks);
            }
            put(word, end);
            first = false;
            at = end;
        }
    }

    private Span skipBlanks(Span span) {
        int at = span.start();
        while (at < span.end() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return new Span(at, span.end());
    }

    private int width(int start, int end) {
        int quotes = style.colour()
                ? 0
                : (int) fragments.stream()
                        .filter(p -> p.start() < end && start < p.end())
                        .count();
        return TerminalText.width(text.substring(start, end)) + 2 * quotes;
    }

    private void put(int start, int end) {
        int at = start;
        while (at < end) {
            int codePoint = text.codePointAt(at);
            int clean = TerminalText.sanitize(codePoint);
            if (column + TerminalText.width(clean) > style.width()) {
                endLines(1);
            }
            highlight(fragmentAt(at));
            out.appendCodePoint(clean);
            column += TerminalText.width(clean);
            at += Character.charCount(codePoint);
        }
    }

    private void put(String ellipsis) {
        highlight(NONE);
        out.append(ellipsis);
        column += ellipsis.length();
    }

    private int fragmentAt(int at) {
        for (int p = 0; p < fragments.size(); p++) {
            if (fragments.get(p).start() <= at && at < fragments.get(p).end()) {
                return p;
            }
        }
        return NONE;
    }

    private void highlight(int fragment) {
        if (fragment == open) {
            return;
        }
        if (open != NONE) {
            out.append(style.colour() ? TerminalText.RESET : "»");
        }
        if (fragment != NONE) {
            out.append(style.colour() ? colour(fragments.get(fragment).strength()) : "«");
        }
        column += style.colour() ? 0 : (open == NONE ? 0 : 1) + (fragment == NONE ? 0 : 1);
        open = fragment;
    }

    private static String colour(double strength) {
        int level = Math.min(BACKGROUNDS.length - 1, (int) (strength * BACKGROUNDS.length));
        return "\u001b[48;5;" + BACKGROUNDS[level] + ";38;5;16m";
    }

    private void endLines(int count) {
        highlight(NONE);
        out.append("\n".repeat(count));
        column = 0;
    }
}
