package org.plant4j.app;

import java.io.PrintWriter;
import org.plant4j.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every command takes, and what follows from them: where results go, how progress shows. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
final class CommonOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-q", "--quiet"},
            description = "No progress and no warnings, only results and errors.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Log what is done, and with an error its trace.")
    private boolean verbose;

    /** Results, and nothing else, go here. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Colour for results: on only where standard output is a terminal that wants it. */
    Ansi ansi() {
        return command.commandLine().getColorScheme().ansi();
    }

    boolean verbose() {
        return verbose;
    }

    Progress progress() {
        return new TerminalProgress(quiet ? Terminal.NONE : Terminal.current(), System.err);
    }
}
