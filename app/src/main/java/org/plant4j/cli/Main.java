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
import org.plant4j.cli.init.InitCommand;
import org.plant4j.cli.model.ModelCommand;
import org.plant4j.cli.option.Version;
import org.plant4j.cli.run.CompareCommand;
import org.plant4j.cli.run.ContextCommand;
import org.plant4j.cli.run.DomainCommand;
import org.plant4j.cli.run.EvaluateCommand;
import org.plant4j.cli.run.EvidenceCommand;
import org.plant4j.cli.run.PrepareCommand;
import org.plant4j.cli.run.RankingCommand;
import org.plant4j.cli.run.ResultsCommand;
import org.plant4j.cli.run.RunCommand;
import org.plant4j.cli.run.ShortlistCommand;
import org.plant4j.cli.run.StudyCommand;
import org.plant4j.cli.run.TopTokensCommand;
import org.plant4j.cli.run.TuneCommand;
import org.plant4j.cli.serve.ReviewsCommand;
import org.plant4j.cli.serve.ServeCommand;
import org.plant4j.cli.serve.TokenCommand;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.cli.terminal.RunLog;
import org.plant4j.cli.terminal.StandardOutput;
import org.plant4j.cli.terminal.Terminal;
import org.plant4j.cli.terminal.TerminalProgress;
import org.plant4j.tensor.DirectExit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code plant} command. */
@Command(
        name = "plant",
        description = "Train, evaluate, explain and serve extreme multi-label text classifiers.",
        subcommands = {
            DemoCommand.class,
            InitCommand.class,
            DoctorCommand.class,
            CorpusCommand.class,
            EncoderCommand.class,
            ModelCommand.class,
            PrepareCommand.class,
            RunCommand.class,
            TuneCommand.class,
            StudyCommand.class,
            EvaluateCommand.class,
            DomainCommand.class,
            CompareCommand.class,
            TopTokensCommand.class,
            EvidenceCommand.class,
            ShortlistCommand.class,
            ContextCommand.class,
            PredictCommand.class,
            ExplainCommand.class,
            RankingCommand.class,
            ResultsCommand.class,
            ServeCommand.class,
            TokenCommand.class,
            ReviewsCommand.class,
            BenchCommand.class,
            CompletionCommand.class,
            HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {"", "Run 'plant COMMAND --help' for the options of a command."})
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    public static void main(String[] args) {
        Terminal terminal = Terminal.current();
        if (terminal.err()) {
            System.setProperty("plant.log.start", TerminalProgress.ERASE_LINE); // log lines replace the progress bar
        }
        PrintWriter out = StandardOutput.open(terminal);
        PrintWriter err = new PrintWriter(System.err, true, terminal.charset());
        DirectExit.enable();
        System.exit(run(terminal, out, err, args));
    }

    /** Runs a command line and returns its exit code: 0 success, 1 a bug, 2 an error that the user can fix. */
    static int run(Terminal terminal, PrintWriter out, PrintWriter err, String... args) {
        CommandLine plant = commandLine(terminal, out, err);
        ErrorHandler errors = new ErrorHandler(terminal);
        try {
            int status = plant.execute(args);
            out.flush();
            return status;
        } catch (RuntimeException | Error escaped) { // picocli does not catch errors such as OutOfMemoryError
            return errors.report(escaped, err, List.of(args).contains("--verbose"));
        }
    }

    static CommandLine commandLine(Terminal terminal, PrintWriter out, PrintWriter err) {
        ErrorHandler errors = new ErrorHandler(terminal);
        CommandLine plant = new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(terminal.outAnsi()))
                .setUsageHelpWidth(Math.max(60, Math.min(terminal.width(), 100)))
                .setExpandAtFiles(false) // a text to predict may begin with @
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Main::execute)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        plant.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        plant.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandOverview::render);
        return plant;
    }

    private static int execute(ParseResult parsed) {
        List<CommandLine> commands = parsed.asCommandLineList();
        CommandLine last = commands.get(commands.size() - 1);
        ParseResult arguments = last.getParseResult();
        if (arguments.isUsageHelpRequested() && !arguments.unmatched().isEmpty()) {
            // picocli would print the help of the parent for a mistyped command: plant tokne --help
            throw new UnmatchedArgumentException(last, arguments.unmatched());
        }
        if (arguments.hasMatchedOption("--verbose")) {
            RunLog.console("INFO");
        } else if (arguments.hasMatchedOption("--quiet")) {
            RunLog.console("ERROR");
        }
        return new RunLast().execute(parsed);
    }

    /** Without a command, prints the help. */
    @Override
    public Integer call() {
        CommandLine plant = command.commandLine();
        plant.usage(plant.getOut());
        return CommandLine.ExitCode.OK;
    }
}
