package org.plant4j.cli.option;

import java.io.PrintWriter;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.cli.terminal.TerminalProgress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.report.TerminalText;
import org.plant4j.support.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options that every command takes, and what follows from them: where results go, how progress shows. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
public final class CommonOptions {

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
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Colour for results: on only where standard output is a terminal that wants it. */
    public Ansi ansi() {
        return command.commandLine().getColorScheme().ansi();
    }

    /** What is said beside the results: stages, hints, counts. Quiet silences it. */
    public void info(String line) {
        if (!quiet) {
            out().flush(); // both may lead to one screen, where the order counts
            PrintWriter err = command.commandLine().getErr();
            err.println((Terminal.current().err() ? TerminalProgress.WIPE : "") + line);
            err.flush();
        }
    }

    /** The columns that results may take; outside a terminal as many as a page holds. */
    public int width() {
        Terminal terminal = Terminal.current();
        return terminal.out() ? Math.max(40, terminal.width()) : PAGE_WIDTH;
    }

    public boolean color() {
        return ansi().enabled();
    }

    public String bold(String text) {
        return styled(Style.bold, text);
    }

    /** For what explains a result and is not one. */
    public String faint(String text) {
        return styled(Style.faint, text);
    }

    private String styled(Style style, String text) {
        String clean = TerminalText.sanitize(text);
        return color() ? style.on() + clean + Style.reset.on() : clean;
    }

    /** Told at the end, so that it is not lost among what came before. */
    public void info(BadRowHandler badRows) {
        badRows.first()
                .ifPresent(first -> info(badRows.skipped() + (badRows.skipped() == 1 ? " row was" : " rows were")
                        + " left out, the first at " + first.where() + ": " + first.what()));
    }

    boolean verbose() {
        return verbose;
    }

    /** Progress of a command that prints as it goes: none on the terminal that shows the results. */
    public Progress progressUnlessOnTerminal() {
        return Terminal.current().out() ? Progress.NONE : progress();
    }

    public Progress progress() {
        return new TerminalProgress(quiet ? Terminal.NONE : Terminal.current(), System.err);
    }
}
