package org.plant4j.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
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
import org.plant4j.cli.ranking.RankingCommand;
import org.plant4j.cli.results.ResultsCommand;
import org.plant4j.cli.run.CompareCommand;
import org.plant4j.cli.run.ContextCommand;
import org.plant4j.cli.run.DomainCommand;
import org.plant4j.cli.run.EvaluateCommand;
import org.plant4j.cli.run.EvidenceCommand;
import org.plant4j.cli.run.PrepareCommand;
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
import org.plant4j.tensor.Engine;
import org.plant4j.tensor.Natives;
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
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {"", "Run 'plant COMMAND --help' for the options of a command."})
public final class Main implements Callable<Integer> {

    /** Names as in the annotations of the classes, in the order of the help. */
    private static final Map<String, Class<?>> COMMANDS = commands();

    /** Commands that start with loading a model: the native libraries load while the rest is prepared. */
    private static final Set<String> PREDICTING = Set.of("predict", "explain", "serve");

    @Spec
    private CommandSpec command;

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("demo", DemoCommand.class);
        commands.put("init", InitCommand.class);
        commands.put("doctor", DoctorCommand.class);
        commands.put("corpus", CorpusCommand.class);
        commands.put("encoder", EncoderCommand.class);
        commands.put("model", ModelCommand.class);
        commands.put("prepare", PrepareCommand.class);
        commands.put("run", RunCommand.class);
        commands.put("tune", TuneCommand.class);
        commands.put("study", StudyCommand.class);
        commands.put("evaluate", EvaluateCommand.class);
        commands.put("domain", DomainCommand.class);
        commands.put("compare", CompareCommand.class);
        commands.put("top-tokens", TopTokensCommand.class);
        commands.put("evidence", EvidenceCommand.class);
        commands.put("shortlist", ShortlistCommand.class);
        commands.put("context", ContextCommand.class);
        commands.put("predict", PredictCommand.class);
        commands.put("explain", ExplainCommand.class);
        commands.put("ranking", RankingCommand.class);
        commands.put("results", ResultsCommand.class);
        commands.put("serve", ServeCommand.class);
        commands.put("token", TokenCommand.class);
        commands.put("reviews", ReviewsCommand.class);
        commands.put("bench", BenchCommand.class);
        commands.put("completion", CompletionCommand.class);
        commands.put("help", HelpCommand.class);
        return commands;
    }

    public static void main(String[] args) {
        Terminal terminal = Terminal.current();
        if (terminal.err()) {
            System.setProperty("plant.log.start", TerminalProgress.ERASE_LINE); // log lines replace the progress bar
        }
        PrintWriter out = StandardOutput.open(terminal);
        PrintWriter err = new PrintWriter(System.err, true, terminal.charset());
        DirectExit.enable();
        Natives.reuseRecords();
        CompletableFuture<?> natives = PREDICTING.contains(args.length == 0 ? "" : args[0])
                ? CompletableFuture.runAsync(Engine::isAvailable)
                : CompletableFuture.completedFuture(null);
        int status = run(terminal, out, err, args);
        natives.join(); // the process must not exit while they load
        System.exit(status);
    }

    /** Runs a command line and returns its exit code: 0 success, 1 a bug, 2 an error that the user can fix. */
    static int run(Terminal terminal, PrintWriter out, PrintWriter err, String... args) {
        CommandLine plant = commandLine(terminal, out, err, needed(args));
        ErrorHandler errors = new ErrorHandler(terminal);
        try {
            int status = plant.execute(args);
            out.flush();
            return status;
        } catch (RuntimeException | Error escaped) { // picocli does not catch errors such as OutOfMemoryError
            return errors.report(escaped, err, List.of(args).contains("--verbose"));
        }
    }

    /** The command that is called, if all others do not matter: building the options of all takes a quarter of a second. */
    private static Map<String, Class<?>> needed(String... args) {
        String name = args.length == 0 ? "" : args[0];
        return switch (name) {
            case "completion", "help" -> COMMANDS;
            case "rehearse" -> Map.of(name, RehearseCommand.class); // for the launcher only
            case "-V", "--version" -> Map.of();
            default -> COMMANDS.containsKey(name) ? Map.of(name, COMMANDS.get(name)) : COMMANDS;
        };
    }

    /** The command line with all commands. */
    static CommandLine commandLine(Terminal terminal, PrintWriter out, PrintWriter err) {
        return commandLine(terminal, out, err, COMMANDS);
    }

    private static CommandLine commandLine(
            Terminal terminal, PrintWriter out, PrintWriter err, Map<String, Class<?>> commands) {
        ErrorHandler errors = new ErrorHandler(terminal);
        CommandLine plant = new CommandLine(new Main());
        commands.forEach(plant::addSubcommand); // first, so that the settings below apply to them too
        plant.setOut(out)
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
