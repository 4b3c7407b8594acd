package org.plant4j.cli.option;

import java.io.PrintWriter;
import java.util.function.Consumer;
import org.plant4j.Progress;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.cli.terminal.TerminalProgress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.report.TerminalText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command. They decide where results go and how progress is shown. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class)
public final class CommonOptions {

    private static final int PAGE_WIDTH = 100;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = {"-q", "--quiet"},
            description = "Print only results and errors.")
    private boolean quiet;

    @Option(
            names = {"-v", "--verbose"},
            description = "Print log messages, and stack traces of errors.")
    private boolean verbose;

    /** Standard output, for results only. */
    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Enabled only if standard output is a terminal with colors. */
    public Ansi ansi() {
        return command.commandLine().getColorScheme().ansi();
    }

    /** Prints a line that is not a result, such as a stage or a hint, to standard error unless {@code --quiet}. */
    public void info(String line) {
        if (!quiet) {
            out().flush(); // keeps the order if both streams share a screen
            PrintWriter err = command.commandLine().getErr();
            err.println((Terminal.current().err() ? TerminalProgress.ERASE_LINE : "") + line);
            err.flush();
        }
    }

    /** Width of printed results in columns. */
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

    /** For captions and explanations. */
    public String faint(String text) {
        return styled(Style.faint, text);
    }

    private String styled(Style style, String text) {
        String clean = TerminalText.sanitize(text);
        return color() ? style.on() + clean + Style.reset.on() : clean;
    }

    /** Reports skipped rows; called at the end so that the line is not lost in other output. */
    public void reportSkipped(BadRowHandler badRows) {
        badRows.first()
                .ifPresent(first -> info("Skipped " + badRows.skipped() + (badRows.skipped() == 1 ? " row" : " rows")
                        + "; the first is " + first.where() + ": " + first.what()));
    }

    /** For commands that print results while they run: no bar on the terminal that shows the results. */
    public Progress progressUnlessOnTerminal() {
        return Terminal.current().out() ? Progress.NONE : progress();
    }

    public Progress progress() {
        Consumer<String> lines = quiet || verbose ? line -> {} : this::info; // the log of --verbose has these lines too
        return new TerminalProgress(quiet ? Terminal.NONE : Terminal.current(), System.err, lines);
    }
}
