package org.plant4j.app;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plant ranking}: works with the rankings that {@code plant predict --ranked} writes. */
@Command(
        name = "ranking",
        description = "Work with rankings that 'predict --ranked' wrote: merge several, or measure one.",
        subcommands = {RankingMergeCommand.class, RankingScoreCommand.class})
final class RankingCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    /** Without a command: the help. */
    @Override
    public Integer call() {
        command.commandLine().usage(common.out());
        return CommandLine.ExitCode.OK;
    }
}
