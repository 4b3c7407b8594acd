package org.plant4j.cli.ranking;

import org.plant4j.cli.option.CommandGroup;
import picocli.CommandLine.Command;

/** {@code plant ranking}: merges and scores the files that {@code plant predict --ranking} writes. */
@Command(
        name = "ranking",
        description = "Merge or score ranking files from 'plant predict', or learn how to merge them.",
        subcommands = {RankingMergeCommand.class, RankingFitCommand.class, RankingScoreCommand.class})
public final class RankingCommand extends CommandGroup {}
