package org.plant4j.app;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plant rank}: looks at what was planted. */
@Command(
        name = "rank",
        description = "Look at which words a planted model was told to attend to.",
        subcommands = RankShowCommand.class)
final class RankCommand implements Callable<Integer> {

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
