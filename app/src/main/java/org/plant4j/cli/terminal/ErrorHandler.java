package org.plant4j.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.plant4j.support.UserError;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever went wrong into a message a person can act on, and into the exit code. */
public final class ErrorHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {

    static final int EXIT_BUG = CommandLine.ExitCode.SOFTWARE;
    public static final int EXIT_USER_ERROR = CommandLine.ExitCode.USAGE;
    private static final int EXIT_BROKEN_PIPE = 128 + 13; // what a shell reports for a program ended by SIGPIPE

    private static final String MORE_HEAP = "give Java more memory, for example PLANT_JAVA_OPTS=-Xmx8g";
    private static final String LESS_MEMORY = "choose a smaller batch, or end other programs on this machine";

    private final Terminal terminal;

    public ErrorHandler(Terminal terminal) {
        this.terminal = terminal;
    }

    /** A command line that cannot be understood. */
    @Override
    public int handleParseException(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String remedy = "see '" + name + " --help'";
        List<String> similar = exception instanceof UnmatchedArgumentException unmatched
                ? unmatched.getSuggestions().stream().limit(3).toList()
                : List.of();
        if (!similar.isEmpty()) {
            remedy = "did you mean " + String.join(" or ", similar) + "? Else " + remedy;
        }
        String what = String.valueOf(exception.getMessage()).lines().findFirst().orElse("Unknown argument");
        print(new UserError(what, name, remedy), command.getErr());
        return EXIT_USER_ERROR;
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed) {
        return report(exception, command.getErr(), command.getParseResult().hasMatchedOption("--verbose"));
    }

    public int report(Throwable fault, PrintWriter err, boolean verbose) {
        if (fault instanceof StandardOutput.WriteFailure lost && lost.isBrokenPipe()) {
            return EXIT_BROKEN_PIPE;
        }
        Optional<UserError> mendable = toUserError(fault);
        if (mendable.isPresent()) {
            print(mendable.get(), err);
        } else {
            String kind = fault.getClass().getSimpleName();
            print(
                    new UserError(
                            "This is a bug in Plant4j: " + kind + oneLine(fault.getMessage()),
                            origin(fault),
                            "run it again with --verbose for the trace, and report it with what 'plant doctor' prints"),
                    err);
        }
        if (verbose) {
            fault.printStackTrace(err);
        }
        err.flush();
        return mendable.isPresent() ? EXIT_USER_ERROR : EXIT_BUG;
    }

    /** The fault in the user's terms, where it or one of its causes lies in the user's hands. */
    static Optional<UserError> toUserError(Throwable fault) {
        for (Throwable each = fault; each != null; each = each.getCause()) {
            Optional<UserError> known = classify(each);
            if (known.isPresent()) {
                return known;
            }
        }
        return Optional.empty();
    }

    private static Optional<UserError> classify(Throwable fault) {
        String message = String.valueOf(fault.getMessage());
        if (fault instanceof UserError error) {
            return Optional.of(error);
        }
        if (message.contains("CUDA out of memory")) {
            return error("The GPU's memory is full", "CUDA device", "choose a smaller batch, or device: cpu");
        }
        if (message.contains("DefaultCPUAllocator") || message.contains("Physical memory usage is too high")) {
            return error("The machine's memory is full", "native memory of the engine", LESS_MEMORY);
        }
        if (fault instanceof OutOfMemoryError) {
            String heap = "Java heap of " + ByteSize.format(Runtime.getRuntime().maxMemory());
            return error("Java's memory is full", heap, MORE_HEAP);
        }
        if (fault instanceof UnsatisfiedLinkError || message.contains("org.bytedeco")) {
            return error("The engine cannot be loaded", "libtorch", "see what 'plant doctor' finds");
        }
        if (fault instanceof NoSuchFileException missing) {
            return error(
                    "No such file or folder", missing.getFile(), "check the path; it is relative to where you are");
        }
        if (fault instanceof AccessDeniedException denied) {
            return error("Access denied", denied.getFile(), "change the permissions, or choose another path");
        }
        if (fault instanceof FileSystemException file && !message.contains("No space left")) {
            String why =
                    Optional.ofNullable(file.getReason()).orElse(file.getClass().getSimpleName());
            return error(
                    "A file or folder cannot be read or written: " + why,
                    String.valueOf(file.getFile()),
                    "look what is in its place, or choose another path");
        }
        if (fault instanceof IOException && message.contains("No space left")) {
            String where = fault instanceof FileSystemException file ? String.valueOf(file.getFile()) : "disk";
            return error("The disk is full", where, "free some space, or write elsewhere");
        }
        return Optional.empty();
    }

    private static Optional<UserError> error(String what, String where, String remedy) {
        return Optional.of(new UserError(what, where, remedy));
    }

    private void print(UserError error, PrintWriter err) {
        boolean color = terminal.errColor();
        err.println(color ? Style.on(Style.bold, Style.fg_red) + error.what() + Style.reset.on() : error.what());
        err.println("  where: " + error.where());
        err.println("  remedy: " + error.remedy());
        err.flush();
    }

    private static String oneLine(@Nullable String message) {
        return message == null || message.isBlank()
                ? ""
                : ": " + message.lines().findFirst().orElse("");
    }

    private static String origin(Throwable fault) {
        StackTraceElement[] trace = fault.getStackTrace();
        return trace.length == 0 ? fault.getClass().getName() : trace[0].toString();
    }
}
