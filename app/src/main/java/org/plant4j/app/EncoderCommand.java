package org.plant4j.app;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plant encoder}: pretrained encoders for models to start from. */
@Command(
        name = "encoder",
        description = "Import pretrained encoders, such as BERT, for models to start from, and look at them.",
        subcommands = {EncoderImportCommand.class, EncoderShowCommand.class, EncoderFillCommand.class})
final class EncoderCommand implements Callable<Integer> {

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
