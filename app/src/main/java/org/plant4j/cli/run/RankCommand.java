package org.plant4j.cli.run;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant rank}: looks at what was planted. */
@Command(
        name = "rank",
        description = "Look at which words a planted model was told to attend to.",
        subcommands = TopTokensCommand.class)
public final class RankCommand extends CommandGroup {}
