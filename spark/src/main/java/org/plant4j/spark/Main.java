package org.plant4j.spark;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code plant-spark} command. Public, because {@code spark-submit} requires it. */
@Command(
        name = "plant-spark",
        description = "Run Plant4j on Apache Spark, on this machine or on a cluster.",
        subcommands = {HelpCommand.class},
        mixinStandardHelpOptions = true,
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

    /** An error in a task is the cause of the exception that the driver receives. */
    private static int report(Exception exception, CommandLine command, ParseResult parsed) throws Exception {
        Optional<UserError> known = Optional.empty();
        for (Throwable each = exception; each != null && known.isEmpty(); each = each.getCause()) {
            known = each instanceof UserError error ? Optional.of(error) : Optional.empty();
        }
        if (known.isEmpty()) {
            throw exception; // picocli prints the stack trace and returns 1
        }
        command.getErr().println(known.get().getMessage());
        return CommandLine.ExitCode.USAGE;
    }

    /** Without a command, prints the help. */
    @Override
    public Integer call() {
        command.commandLine().usage(command.commandLine().getOut());
        return CommandLine.ExitCode.OK;
    }
}
