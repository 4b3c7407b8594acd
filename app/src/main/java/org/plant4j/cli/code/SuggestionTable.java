package org.plant4j.cli.code;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.plant4j.Evidence;
import org.plant4j.Suggestion;
import org.plant4j.Trait;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Column;
import org.plant4j.report.TerminalText;

/** A table of suggested codes that fits the width of the terminal. */
public record SuggestionTable(List<Suggestion> suggestions) {

    private static final int FIXED_WIDTH = 2 + 2 + 5 + 2 + 2;

    /** Marks predicted codes with a tick, or with a question mark if their evidence contradicts them. */
    String toText(int width, boolean colour) {
        return toText(width, colour, "", SuggestionTable::mark);
    }

    static String mark(Suggestion suggestion) {
        return !suggestion.predicted() ? "" : suggestion.contradicted() ? "?" : "✓";
    }

    public String toText(int width, boolean colour, String markName, Function<Suggestion, String> mark) {
        int codes = suggestions.stream()
                .mapToInt(suggestion -> TerminalText.width(suggestion.code()))
                .max()
                .orElse(0);
        int left = Math.max(20, width - FIXED_WIDTH - Math.max(4, codes) - markName.length());
        int descriptions = Math.min(
                left / 2,
                suggestions.stream()
                        .mapToInt(suggestion -> TerminalText.width(suggestion.description()))
                        .max()
                        .orElse(0));
        boolean described = descriptions > 0;
        ReportTable table = described
                ? ReportTable.of(
                        Column.text(markName),
                        Column.text("code"),
                        Column.text("description"),
                        Column.number("score", 2),
                        Column.text("evidence"))
                : ReportTable.of(
                        Column.text(markName), Column.text("code"), Column.number("score", 2), Column.text("evidence"));
        for (Suggestion suggestion : suggestions) {
            String evidence = TerminalText.truncate(evidenceText(suggestion), left - descriptions - 2);
            table = described
                    ? table.row(
                            mark.apply(suggestion),
                            suggestion.code(),
                            TerminalText.truncate(suggestion.description(), descriptions),
                            suggestion.score(),
                            evidence)
                    : table.row(mark.apply(suggestion), suggestion.code(), suggestion.score(), evidence);
        }
        return table.toText(colour);
    }

    /** The distinct texts of the evidence with their traits, heaviest first. */
    public static String evidenceText(Suggestion suggestion) {
        return suggestion.evidence().stream()
                .map(SuggestionTable::evidenceText)
                .distinct()
                .collect(Collectors.joining(" · "));
    }

    private static String evidenceText(Evidence evidence) {
        String text = evidence.text().replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
        return evidence.traits().isEmpty() ? text : text + " (" + traits(evidence) + ")";
    }

    static String traits(Evidence evidence) {
        return evidence.traits().stream().map(Trait::label).collect(Collectors.joining(", "));
    }
}
