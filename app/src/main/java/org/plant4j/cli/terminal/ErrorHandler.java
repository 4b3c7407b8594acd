package org.plant4j.cli.terminal;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.plant4j.UserError;
import org.plant4j.distributed.PeerFailure;
import org.plant4j.support.DidYouMean;
import org.plant4j.tensor.NativeLibraries;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi.Style;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns exceptions into error messages with a remedy, and into exit codes. */
public final class ErrorHandler implements IParameterExceptionHandler, IExecutionExceptionHandler {

    static final int EXIT_BUG = CommandLine.ExitCode.SOFTWARE;
    public static final int EXIT_USER_ERROR = CommandLine.ExitCode.USAGE;

    /** Another process of the group failed: starting all of them again can help. EX_TEMPFAIL of sysexits.h. */
    public static final int EXIT_PEER_FAILURE = 75;

    private static final int EXIT_BROKEN_PIPE = 128 + 13; // what shells report for SIGPIPE

    private static final String MORE_HEAP = "give Java more memory, for example PLANT_JAVA_OPTS=-Xmx8g";
    private static final String LESS_MEMORY = "use a smaller batch, or stop other programs on this machine";

    /** What the allocator of libtorch, the driver and cuBLAS report. */
    private static final List<String> OUT_OF_GPU_MEMORY =
            List.of("CUDA out of memory", "CUDA error: out of memory", "CUBLAS_STATUS_ALLOC_FAILED");

    /** Picocli's message names the index of the parameter, which users do not know. */
    private static final Pattern TOO_FEW_VALUES =
            Pattern.compile("^.*positional parameter at index \\S+ \\((\\S+)\\) (requires at least|but found) .*");

    private final Terminal terminal;

    public ErrorHandler(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Reports a command line that cannot be parsed. */
    @Override
    public int handleParseException(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String remedy = "see '" + name + " --help'";
        List<String> similar =
                exception instanceof UnmatchedArgumentException unmatched ? similar(unmatched, command) : List.of();
        if (!similar.isEmpty()) {
            remedy = "did you mean " + String.join(" or ", similar) + "? Otherwise " + remedy;
        }
        print(new UserError(what(exception), name, remedy), command.getErr());
        return EXIT_USER_ERROR;
    }

    private static List<String> similar(UnmatchedArgumentException unmatched, CommandLine command) {
        List<String> suggestions = unmatched.getSuggestions().stream().limit(3).toList();
        return suggestions.isEmpty()
                ? DidYouMean.closest(
                                unmatched.getUnmatched().get(0),
                                command.getSubcommands().keySet())
                        .stream()
                        .toList()
                : suggestions;
    }

    private static String what(ParameterException exception) {
        if (exception instanceof UnmatchedArgumentException unmatched) {
            String argument = unmatched.getUnmatched().get(0);
            return (argument.startsWith("-") ? "Unknown option: '" : "Unknown command or argument: '") + argument + "'";
        }
        String message =
                String.valueOf(exception.getMessage()).lines().findFirst().orElse("Invalid arguments");
        return TOO_FEW_VALUES.matcher(message).replaceFirst("Too few values for $1");
    }

    @Override
    public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed) {
        return report(exception, command.getErr(), command.getParseResult().hasMatchedOption("--verbose"));
    }

    public int report(Throwable fault, PrintWriter err, boolean verbose) {
        if (fault instanceof StandardOutput.WriteFailure lost && lost.isBrokenPipe()) {
            return EXIT_BROKEN_PIPE;
        }
        Optional<UserError> known = toUserError(fault);
        if (known.isPresent()) {
            print(known.get(), err);
        } else {
            String kind = fault.getClass().getSimpleName();
            print(
                    new UserError(
                            "This is a bug in Plant4j: " + kind + oneLine(fault.getMessage()),
                            origin(fault),
                            "run it again with --verbose for a stack trace, and report it with the output of 'plant doctor'"),
                    err);
        }
        if (verbose) {
            fault.printStackTrace(err);
        }
        err.flush();
        if (fault instanceof PeerFailure) {
            return EXIT_PEER_FAILURE;
        }
        return known.isPresent() ? EXIT_USER_ERROR : EXIT_BUG;
    }

    /** Finds an error that the user can fix in the exception or one of its causes. */
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
        if (fault instanceof PeerFailure) {
            return error(
                    message, "process group", "start all processes again; training resumes from its last checkpoint");
        }
        if (OUT_OF_GPU_MEMORY.stream().anyMatch(message::contains)) {
            return error("The GPU is out of memory", "CUDA device", "use a smaller batch, or device: cpu");
        }
        if (message.contains("DefaultCPUAllocator") || message.contains("Physical memory usage is too high")) {
            return error("The machine is out of memory", "native memory of libtorch", LESS_MEMORY);
        }
        if (fault instanceof OutOfMemoryError) {
            String heap = "Java heap of " + ByteSize.format(Runtime.getRuntime().maxMemory());
            return error("Java is out of memory", heap, MORE_HEAP);
        }
        if (fault instanceof UnsatisfiedLinkError || message.contains("org.bytedeco")) {
            return error(
                    "The engine cannot be loaded",
                    "libtorch: " + NativeLibraries.cause(fault),
                    "run 'plant doctor' to find the cause");
        }
        if (fault instanceof InvalidPathException invalid) {
            return error(
                    "Not a valid path: " + invalid.getReason(),
                    invalid.getInput(),
                    "use a path without control characters, in the encoding of the terminal");
        }
        if (fault instanceof NoSuchFileException missing) {
            return error(
                    "No such file or directory",
                    missing.getFile(),
                    "check the path; it is relative to the current directory");
        }
        if (fault instanceof AccessDeniedException denied) {
            return error("Access denied", denied.getFile(), "change the permissions, or choose another path");
        }
        if (fault instanceof FileSystemException file && !message.contains("No space left")) {
            String why =
                    Optional.ofNullable(file.getReason()).orElse(file.getClass().getSimpleName());
            return error(
                    "A file or directory cannot be read or written: " + why,
                    String.valueOf(file.getFile()),
                    "check what is at this path, or choose another");
        }
        if (fault instanceof IOException && message.contains("No space left")) {
            String where = fault instanceof FileSystemException file ? String.valueOf(file.getFile()) : "disk";
            return error("The disk is full", where, "free some space, or choose another disk");
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
