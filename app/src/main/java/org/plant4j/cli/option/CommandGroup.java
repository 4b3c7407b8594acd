package org.plant4j.cli.option;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command with subcommands; without one it prints its help. */
public abstract class CommandGroup implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Override
    public final Integer call() {
        command.commandLine().usage(common.out());
        return CommandLine.ExitCode.OK;
    }
}
