package org.plant4j.app;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.plant4j.TerminalText;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Column;
import org.plant4j.predict.Suggestion;

/** The codes suggested for a note, a line each, no wider than the terminal. */
record SuggestionTable(String text, List<Suggestion> suggestions) {

    private static final int MARK_AND_SCORE = 2 + 2 + 5 + 2 + 2;

    /** A tick marks what passes the run's threshold. */
    String toText(int width, boolean colour) {
        return toText(width, colour, "", suggestion -> suggestion.predicted() ? "✓" : "");
    }

    String toText(int width, boolean colour, String markName, Function<Suggestion, String> mark) {
        int codes = suggestions.stream()
                .mapToInt(suggestion -> TerminalText.width(suggestion.code()))
                .max()
                .orElse(0);
        int left = Math.max(20, width - MARK_AND_SCORE - Math.max(4, codes) - markName.length());
        int descriptions = Math.min(
                left / 2,
                suggestions.stream()
                        .mapToInt(suggestion -> TerminalText.width(suggestion.description()))
                        .max()
                        .orElse(0));
        boolean described = descriptions > 0;
        Table table = described
                ? Table.of(
                        Column.text(markName),
                        Column.text("code"),
                        Column.text("meaning"),
                        Column.number("score", 2),
                        Column.text("evidence"))
                : Table.of(
                        Column.text(markName), Column.text("code"), Column.number("score", 2), Column.text("evidence"));
        for (Suggestion suggestion : suggestions) {
            String evidence = TerminalText.cut(evidence(suggestion), left - descriptions - 2);
            table = described
                    ? table.row(
                            mark.apply(suggestion),
                            suggestion.code(),
                            TerminalText.cut(suggestion.description(), descriptions),
                            suggestion.score(),
                            evidence)
                    : table.row(mark.apply(suggestion), suggestion.code(), suggestion.score(), evidence);
        }
        return table.toText(colour);
    }

    /** The words that speak for a code, the heaviest first, none twice. */
    String evidence(Suggestion suggestion) {
        return suggestion.evidence().stream()
                .map(weighted ->
                        text.substring(weighted.span().start(), weighted.span().end()))
                .map(words -> words.replaceAll("\\s+", " ").toLowerCase(Locale.ROOT))
                .distinct()
                .collect(Collectors.joining(" · "));
    }
}
