package org.plant4j.app;

import picocli.CommandLine.Command;

/** {@code plant ranking}: works with the rankings that {@code plant predict --ranked} writes. */
@Command(
        name = "ranking",
        description = "Work with rankings that 'predict --ranked' wrote: merge several, or measure one.",
        subcommands = {RankingMergeCommand.class, RankingScoreCommand.class})
final class RankingCommand extends CommandGroup {}
