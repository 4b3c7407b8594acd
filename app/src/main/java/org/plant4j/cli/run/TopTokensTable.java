package org.plant4j.cli.run;

import java.util.List;
import org.plant4j.explain.TopTokens;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Cell;
import org.plant4j.report.ReportTable.Column;

/** A code's words by mutual information and by the ranker, side by side, as many as were asked for. */
public record TopTokensTable(TopTokens words, int tokens) {

    private static final Cell NONE = Cell.of("");

    public ReportTable table() {
        ReportTable table = ReportTable.of(
                Column.number("", 0),
                Column.text("by mutual information"),
                Column.number("gain", 4),
                Column.text("ranker"),
                Column.text("by the ranker"),
                Column.number("score", 2),
                Column.text("information"));
        for (int i = 0;
                i < Math.max(words.byInformation().size(), words.byRanker().size());
                i++) {
            table = table.row(
                    i + 1,
                    word(words.byInformation(), i),
                    value(words.byInformation(), i),
                    mark(words.byInformation(), i),
                    word(words.byRanker(), i),
                    value(words.byRanker(), i),
                    mark(words.byRanker(), i));
        }
        return table;
    }

    public String heading() {
        return (words.code() + "  " + words.description()).strip();
    }

    public String caption() {
        return "✓ " + words.countShared() + " words are among the first " + tokens
                + " of both; a number is the word's place in the other order.";
    }

    private static Cell word(List<TopTokens.TopToken> words, int i) {
        return i < words.size() ? Cell.of(words.get(i).word()) : NONE;
    }

    private static Cell value(List<TopTokens.TopToken> words, int i) {
        return i < words.size() ? Cell.of(words.get(i).value()) : NONE;
    }

    /** The word's place in the other order, ticked where that is shown too. */
    private Cell mark(List<TopTokens.TopToken> words, int i) {
        return i < words.size()
                ? words.get(i)
                        .rankInOther()
                        .map(rank -> Cell.of((rank <= tokens ? "✓ " : "  ") + rank))
                        .orElse(Cell.of("  –"))
                : NONE;
    }
}
