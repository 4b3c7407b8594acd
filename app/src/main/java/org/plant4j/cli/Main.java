package org.plant4j.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.plant4j.cli.bench.BenchCommand;
import org.plant4j.cli.code.ExplainCommand;
import org.plant4j.cli.code.PredictCommand;
import org.plant4j.cli.corpus.CorpusCommand;
import org.plant4j.cli.demo.DemoCommand;
import org.plant4j.cli.doctor.DoctorCommand;
import org.plant4j.cli.encoder.EncoderCommand;
import org.plant4j.cli.option.Version;
import org.plant4j.cli.run.CompareCommand;
import org.plant4j.cli.run.EvaluateCommand;
import org.plant4j.cli.run.PrepareCommand;
import org.plant4j.cli.run.RankCommand;
import org.plant4j.cli.run.RankingCommand;
import org.plant4j.cli.run.RunCommand;
import org.plant4j.cli.run.StudyCommand;
import org.plant4j.cli.serve.ServeCommand;
import org.plant4j.cli.serve.TokenCommand;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.cli.terminal.RunLog;
import org.plant4j.cli.terminal.StandardOutput;
import org.plant4j.cli.terminal.Terminal;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The {@code plant} command. */
@Command(
        name = "plant",
        description = "Trains, evaluates and explains extreme multi-label text classifiers.",
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            PrepareCommand.class,
            EvaluateCommand.class,
            CompareCommand.class,
            StudyCommand.class,
            PredictCommand.class,
            RankingCommand.class,
            ExplainCommand.class,
            RankCommand.class,
            ServeCommand.class,
            TokenCommand.class,
            CorpusCommand.class,
            EncoderCommand.class,
            BenchCommand.class,
            DoctorCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {"", "Each command has its own help: plant COMMAND --help"})
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    public static void main(String[] args) {
        Terminal terminal = Terminal.current();
        if (terminal.err()) {
            System.setProperty("plant.log.start", "\r\u001b[K"); // a log line wipes the progress bar it lands on
        }
        PrintWriter out = StandardOutput.open(terminal);
        PrintWriter err = new PrintWriter(System.err, true, terminal.charset());
        System.exit(run(terminal, out, err, args));
    }

    /** Runs one command line and returns its exit code: 0 done, 1 a bug, 2 a fault the user can mend. */
    public static int run(Terminal terminal, PrintWriter out, PrintWriter err, String... args) {
        CommandLine plant = commandLine(terminal, out, err);
        ErrorHandler faults = new ErrorHandler(terminal);
        try {
            int status = plant.execute(args);
            out.flush();
            return status;
        } catch (RuntimeException | Error escaped) { // picocli hands on errors such as OutOfMemoryError
            return faults.report(escaped, err, List.of(args).contains("--verbose"));
        }
    }

    public static CommandLine commandLine(Terminal terminal, PrintWriter out, PrintWriter err) {
        ErrorHandler faults = new ErrorHandler(terminal);
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(terminal.outAnsi()))
                .setUsageHelpWidth(Math.max(60, Math.min(terminal.width(), 100)))
                .setExpandAtFiles(false) // a text to predict may begin with @
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::execute)
                .setParameterExceptionHandler(faults)
                .setExecutionExceptionHandler(faults);
    }

    private static int execute(ParseResult parsed) {
        List<CommandLine> commands = parsed.asCommandLineList();
        ParseResult last = commands.get(commands.size() - 1).getParseResult();
        if (last.hasMatchedOption("--verbose")) {
            RunLog.console("INFO");
        } else if (last.hasMatchedOption("--quiet")) {
            RunLog.console("ERROR");
        }
        return new RunLast().execute(parsed);
    }

    /** Without a command: the help. */
    @Override
    public Integer call() {
        CommandLine plant = command.commandLine();
        plant.usage(plant.getOut());
        return CommandLine.ExitCode.OK;
    }
}
