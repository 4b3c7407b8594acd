package org.plant4j.spark.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.spark.package$;
import org.apache.spark.sql.AnalysisException;
import org.plant4j.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code plant-spark} command. Public, because {@code spark-submit} requires it. */
@Command(
        name = "plant-spark",
        description = "Run Plant4j on Apache Spark, on this machine or on a cluster.",
        subcommands = {
            CodeCommand.class,
            EvaluateCommand.class,
            StreamCommand.class,
            VerifyCommand.class,
            PrepareCommand.class,
            CountCommand.class,
            RunCommand.class,
            HelpCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        footer = {"", "Run 'plant-spark COMMAND --help' for the options of a command."})
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec command;

    public static void main(String[] args) {
        int status = run(args);
        if (status != 0) { // leaving main is success; System.exit(0) would cut short what a cluster manager still does
            System.exit(status);
        }
    }

    /** Runs a command line and returns its exit code: 0 success, 1 a bug, 2 an error that the user can fix. */
    static int run(String... args) {
        return new CommandLine(new Main())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Main::report)
                .execute(args);
    }

    private static int report(Exception exception, CommandLine command, ParseResult parsed) throws Exception {
        Optional<String> known = userError(exception);
        if (known.isEmpty()) {
            throw exception; // picocli prints the stack trace and returns 1
        }
        command.getErr().println(known.get());
        return CommandLine.ExitCode.USAGE;
    }

    /** Finds an error that the user can fix; one in a task is a cause of the exception that the driver receives. */
    private static Optional<String> userError(Throwable fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            if (each instanceof UserError || each instanceof AnalysisException) {
                return Optional.of(String.valueOf(each.getMessage()));
            }
        }
        return Optional.empty();
    }

    /** The version of Plant4j and that of Spark. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String own = Main.class.getPackage().getImplementationVersion();
            return new String[] {
                "Plant4j " + (own == null ? "development" : own) + ", Spark " + package$.MODULE$.SPARK_VERSION()
            };
        }
    }

    /** Without a command, prints the help. */
    @Override
    public Integer call() {
        command.commandLine().usage(command.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }
}
