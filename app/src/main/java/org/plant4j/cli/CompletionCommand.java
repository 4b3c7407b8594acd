package org.plant4j.cli;

import java.util.concurrent.Callable;
import org.plant4j.cli.option.CommonOptions;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plant completion}: prints the completion script for bash and zsh. */
@Command(
        name = "completion",
        description = {
            "Print a completion script for bash and zsh: commands, options, experiments, runs and other values.",
            "Usage: source <(plant completion)"
        })
final class CompletionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    @Mixin
    private final CommonOptions common = new CommonOptions();

    @Override
    public Integer call() {
        common.out().println(new CompletionScript(command.root().commandLine()).text());
        return CommandLine.ExitCode.OK;
    }
}
