package org.plant4j.cli.run;

import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import org.plant4j.cli.option.JsonOption;
import org.plant4j.cli.option.OptionCheck;
import org.plant4j.cli.option.RunArgument;
import org.plant4j.experiment.TopTokens;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plant top-tokens}: the most relevant tokens of a code, by mutual information and by the ranker. */
@Command(
        name = "top-tokens",
        description = {
            "Show the most relevant tokens of a code.",
            "Lists the tokens that were planted into a model's attention, by mutual information and by the ranker."
        },
        footer = {"", "Example:", "  plant top-tokens runs/plant@demo I50.9 --top 10"})
public final class TopTokensCommand implements Callable<Integer> {

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Mixin
    private final JsonOption json = new JsonOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "Directory of a run with a planted model.")
    private Path run;

    @Parameters(index = "1", paramLabel = "CODE", description = "A code with training documents.")
    private String code;

    @Option(names = "--top", paramLabel = "N", description = "Number of tokens (default: ${DEFAULT-VALUE}).")
    private int top = 20;

    @Override
    public Integer call() {
        OptionCheck.atLeast(1, "--top", top);
        TopTokens tokens = TopTokens.read(RunArgument.open(run), code.strip().toUpperCase(Locale.ROOT), top);
        if (json.enabled()) {
            common.out().println(JsonOption.pretty(tokens));
        } else {
            TopTokensTable table = new TopTokensTable(tokens, top);
            common.out().println(common.bold(table.heading()));
            common.out().println();
            common.out().print(table.table().toText(common.color()));
            common.out().println(common.faint(table.caption()));
        }
        return CommandLine.ExitCode.OK;
    }
}
