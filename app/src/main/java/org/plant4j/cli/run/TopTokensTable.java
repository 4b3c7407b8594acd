package org.plant4j.cli.run;

import java.util.List;
import org.plant4j.experiment.TopTokens;
import org.plant4j.report.ReportTable;
import org.plant4j.report.ReportTable.Cell;
import org.plant4j.report.ReportTable.Column;

/** The top tokens of a code by mutual information and by the ranker, side by side. */
public record TopTokensTable(TopTokens tokens, int limit) {

    private static final Cell NONE = Cell.of("");

    public ReportTable table() {
        ReportTable table = ReportTable.of(
                Column.number("", 0),
                Column.text("mutual information"),
                Column.number("gain", 4),
                Column.text("rank in other"),
                Column.text("ranker"),
                Column.number("score", 2),
                Column.text("rank in other"));
        int rows =
                Math.max(tokens.byMutualInformation().size(), tokens.byRanker().size());
        for (int i = 0; i < rows; i++) {
            table = table.row(
                    i + 1,
                    token(tokens.byMutualInformation(), i),
                    value(tokens.byMutualInformation(), i),
                    otherRank(tokens.byMutualInformation(), i),
                    token(tokens.byRanker(), i),
                    value(tokens.byRanker(), i),
                    otherRank(tokens.byRanker(), i));
        }
        return table;
    }

    public String heading() {
        return (tokens.code() + "  " + tokens.description()).strip();
    }

    public String caption() {
        return "✓: among the top " + limit + " of both rankings (" + tokens.countShared() + " tokens).";
    }

    private static Cell token(List<TopTokens.TopToken> tokens, int i) {
        return i < tokens.size() ? Cell.of(tokens.get(i).token()) : NONE;
    }

    private static Cell value(List<TopTokens.TopToken> tokens, int i) {
        return i < tokens.size() ? Cell.of(tokens.get(i).value()) : NONE;
    }

    /** The token's rank in the other ranking, ticked if it is shown there. */
    private Cell otherRank(List<TopTokens.TopToken> tokens, int i) {
        return i < tokens.size()
                ? tokens.get(i)
                        .rankInOther()
                        .map(rank -> Cell.of((rank <= limit ? "✓ " : "  ") + rank))
                        .orElse(Cell.of("  –"))
                : NONE;
    }
}
