package org.plant4j.app;

import java.io.PrintWriter;
import org.plant4j.Progress;
import org.plant4j.TerminalText;
import org.plant4j.corpus.BadRows;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every command takes, and what follows from them: where results go, how progress shows. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class)
final class CommonOptions {

    private static final int PAGE_WIDTH = 100;

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

    /** What is said beside the results: stages, hints, counts. Quiet silences it. */
    void say(String line) {
        if (!quiet) {
            out().flush(); // both may lead to one screen, where the order counts
            PrintWriter err = command.commandLine().getErr();
            err.println((Terminal.current().err() ? TerminalProgress.WIPE : "") + line);
            err.flush();
        }
    }

    /** The columns that results may take; outside a terminal as many as a page holds. */
    int width() {
        Terminal terminal = Terminal.current();
        return terminal.out() ? Math.max(40, terminal.width()) : PAGE_WIDTH;
    }

    boolean colour() {
        return ansi().enabled();
    }

    String bold(String text) {
        return styled(Style.bold, text);
    }

    /** For what explains a result and is not one. */
    String faint(String text) {
        return styled(Style.faint, text);
    }

    private String styled(Style style, String text) {
        String clean = TerminalText.clean(text);
        return colour() ? style.on() + clean + Style.reset.on() : clean;
    }

    /** Told at the end, so that it is not lost among what came before. */
    void say(BadRows badRows) {
        badRows.first()
                .ifPresent(first -> say(badRows.skipped() + (badRows.skipped() == 1 ? " row was" : " rows were")
                        + " left out, the first at " + first.where() + ": " + first.what()));
    }

    boolean verbose() {
        return verbose;
    }

    /** Progress of a command that prints as it goes: none on the terminal that shows the results. */
    Progress progressBesideResults() {
        return Terminal.current().out() ? Progress.NONE : progress();
    }

    Progress progress() {
        return new TerminalProgress(quiet ? Terminal.NONE : Terminal.current(), System.err);
    }
}
