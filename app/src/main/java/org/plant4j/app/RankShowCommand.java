package org.plant4j.app;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.UserError;
import org.plant4j.eval.Table;
import org.plant4j.eval.Table.Cell;
import org.plant4j.eval.Table.Column;
import org.plant4j.predict.CodeWords;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant rank show}: a code's words by mutual information and by the ranker, side by side. */
@Command(
        name = "show",
        description = "Show the words that speak for a code: by mutual information, and by the ranker.",
        footer = {"", "Example:", "  plant rank show runs/demo-plant I50.9 --tokens 10"})
final class RankShowCommand implements Callable<Integer> {

    private static final Cell NONE = Cell.of("");

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The folder of a run.")
    private Path run;

    @Parameters(index = "1", paramLabel = "CODE", description = "A code that the run learned.")
    private String code;

    @Option(names = "--tokens", paramLabel = "N", description = "Words of each order (default: ${DEFAULT-VALUE}).")
    private int tokens = 20;

    @Override
    public Integer call() {
        if (tokens < 1) {
            throw new UserError("There is no word to show", "--tokens " + tokens, "use 1 or more");
        }
        CodeWords words = CodeWords.of(RunArgument.find(run), code.strip().toUpperCase(Locale.ROOT), tokens);
        if (json.wanted()) {
            common.out().println(JsonOption.text(words));
        } else {
            common.out().println(common.bold((words.code() + "  " + words.description()).strip()));
            common.out().println();
            common.out().print(table(words).toText(common.colour()));
            common.out()
                    .println(common.faint("✓ " + words.agreed() + " words are among the first " + tokens
                            + " of both; a number is the word's place in the other order."));
        }
        return CommandLine.ExitCode.OK;
    }

    private Table table(CodeWords words) {
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
