package org.plant4j.app;

import java.util.List;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Cell;
import org.plant4j.eval.Table.Column;
import org.plant4j.predict.CodeWords;

/** A code's words by mutual information and by the ranker, side by side, as many as were asked for. */
record WordTable(CodeWords words, int tokens) {

    private static final Cell NONE = Cell.of("");

    Table table() {
        Table table = Table.of(
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

    String heading() {
        return (words.code() + "  " + words.description()).strip();
    }

    String caption() {
        return "✓ " + words.agreed() + " words are among the first " + tokens
                + " of both; a number is the word's place in the other order.";
    }

    private static Cell word(List<CodeWords.Word> words, int i) {
        return i < words.size() ? Cell.of(words.get(i).word()) : NONE;
    }

    private static Cell value(List<CodeWords.Word> words, int i) {
        return i < words.size() ? Cell.of(words.get(i).value()) : NONE;
    }

    /** The word's place in the other order, ticked where that is shown too. */
    private Cell mark(List<CodeWords.Word> words, int i) {
        return i < words.size()
                ? words.get(i)
                        .rankInOther()
                        .map(rank -> Cell.of((rank <= tokens ? "✓ " : "  ") + rank))
                        .orElse(Cell.of("  –"))
                : NONE;
    }
}
