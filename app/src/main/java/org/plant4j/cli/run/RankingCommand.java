package org.plant4j.cli.run;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant ranking}: works with the rankings that {@code plant predict --ranking} writes. */
@Command(
        name = "ranking",
        description = "Work with rankings that 'predict --ranking' wrote: merge several, or measure one.",
        subcommands = {RankingMergeCommand.class, RankingScoreCommand.class})
public final class RankingCommand extends CommandGroup {}
