package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.explain.TopTokens;
import org.plant4j.support.UserError;
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
public final class TopTokensCommand implements Callable<Integer> {

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
        TopTokens words = TopTokens.read(RunArgument.open(run), code.strip().toUpperCase(Locale.ROOT), tokens);
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(words));
        } else {
            TopTokensTable table = new TopTokensTable(words, tokens);
            common.out().println(common.bold(table.heading()));
            common.out().println();
            common.out().print(table.table().toText(common.color()));
            common.out().println(common.faint(table.caption()));
        }
        return CommandLine.ExitCode.OK;
    }
}
