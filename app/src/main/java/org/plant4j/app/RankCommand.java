package org.plant4j.app;

import picocli.CommandLine.Command;

/** {@code plant rank}: looks at what was planted. */
@Command(
        name = "rank",
        description = "Look at which words a planted model was told to attend to.",
        subcommands = RankShowCommand.class)
final class RankCommand extends CommandGroup {}
