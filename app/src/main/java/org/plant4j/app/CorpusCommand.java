package org.plant4j.app;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code plant corpus}: looks at corpora without training on them. */
@Command(
        name = "corpus",
        description = "Look at a corpus: its numbers, its documents, or all of it as JSON lines.",
        subcommands = {CorpusStatsCommand.class, CorpusShowCommand.class, CorpusExportCommand.class})
final class CorpusCommand implements Callable<Integer> {

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
