package org.plant4j.cli.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.cli.terminal.ErrorHandler;
import org.plant4j.support.FileTree;

/**
 * Starts the processes of a group on this machine and ends them together. The first process writes to the terminal, the
 * others to log files. If a process is killed or crashes, all start again once and resume from the last checkpoint.
 */
public final class ProcessLauncher {

    private static final int RESTARTS = 1;
    private static final int POLL_MILLIS = 100;
    private static final int GRACE_SECONDS = 20; // until the other processes notice that one is gone
    private static final int FIRST_SIGNAL = 128; // exit codes above it are those of signals

    private final String mainClass;
    private final List<String> arguments;
    private final int size;
    private final Path logs;
    private final PrintWriter out;
    private final Consumer<String> info;

    /** {@code arguments} of the command that each process runs. */
    public ProcessLauncher(
            String mainClass, List<String> arguments, int size, Path logs, PrintWriter out, Consumer<String> info) {
        this.mainClass = mainClass;
        this.arguments = arguments;
        this.size = size;
        this.logs = logs;
        this.out = out;
        this.info = info;
    }

    /** Waits for the processes and returns the exit code of the command. */
    public int run(BooleanSupplier stop) {
        int[] codes = runOnce(stop);
        for (int restart = 0;
                restart < RESTARTS && !stop.getAsBoolean() && crashed(codes).isPresent();
                restart++) {
            int rank = crashed(codes).getAsInt();
            info.accept("Process " + rank + " of " + size + " ended with code " + codes[rank]
                    + "; starting all processes again from the last checkpoint");
            codes = runOnce(stop);
        }
        if (stop.getAsBoolean()) {
            return InterruptHandler.EXIT;
        }
        return report(codes);
    }

    private static OptionalInt crashed(int[] codes) {
        return IntStream.range(0, codes.length)
                .filter(rank -> codes[rank] > FIRST_SIGNAL)
                .findFirst();
    }

    private int report(int[] codes) {
        OptionalInt cause = IntStream.range(0, size)
                .filter(rank -> codes[rank] != 0 && codes[rank] != ErrorHandler.EXIT_PEER_FAILURE)
                .findFirst();
        int rank = cause.orElse(0);
        if (rank > 0 || codes[rank] > FIRST_SIGNAL) {
            throw new UserError(
                    "Process " + rank + " of " + size + " ended with code " + codes[rank],
                    rank == 0 ? "the first process" : log(rank).toString(),
                    "fix the cause, and run the same command again to resume from the last checkpoint");
        }
        return codes[rank]; // the first process has reported its error
    }

    private Path log(int rank) {
        return logs.resolve("rank-" + rank + ".txt");
    }

    private int[] runOnce(BooleanSupplier stop) {
        List<Process> processes = new ArrayList<>();
        Optional<Path> rendezvous = Optional.empty();
        try {
            Files.createDirectories(logs);
            rendezvous = Optional.of(Files.createTempDirectory("plant4j-rendezvous"));
            for (int rank = 0; rank < size; rank++) {
                processes.add(start(rank, "file:" + rendezvous.get().resolve("store")));
            }
            Thread output = forwardOutput(processes.get(0));
            await(processes, stop);
            output.join();
            return processes.stream().mapToInt(Process::exitValue).toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } finally {
            processes.forEach(Process::destroyForcibly);
            rendezvous.ifPresent(FileTree::delete);
        }
    }

    private Process start(int rank, String rendezvous) throws IOException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(GroupOptions.member(rank, size, rendezvous));
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(mainClass, all, rank == 0));
        builder.environment().putAll(ChildJvm.shareOfCores(size));
        Gpus.visible().ifPresent(gpus -> builder.environment().put(Gpus.VARIABLE, gpus.get(rank % gpus.size())));
        if (rank == 0) {
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        } else {
            builder.redirectErrorStream(true).redirectOutput(log(rank).toFile());
        }
        return builder.start();
    }

    /** Forwards results, but not the messages that Gloo prints. */
    private Thread forwardOutput(Process first) {
        Thread thread = new Thread(() -> {
            try (BufferedReader lines = first.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (!line.startsWith("[Gloo]")) {
                        out.println(line);
                        out.flush();
                    }
                }
            } catch (IOException e) {
                info.accept("The output of the first process is incomplete: " + e.getMessage());
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Returns when all have ended. If one fails, the others get some time to end on their own. */
    private static void await(List<Process> processes, BooleanSupplier stop) throws InterruptedException {
        boolean told = false;
        long deadline = Long.MAX_VALUE;
        while (processes.stream().anyMatch(Process::isAlive)) {
            if (stop.getAsBoolean() && !told) {
                // Each ends after its running step. Process.destroy would also close its output.
                processes.forEach(process -> process.toHandle().destroy());
                told = true;
            }
            boolean failed = processes.stream().anyMatch(process -> !process.isAlive() && process.exitValue() != 0);
            if (failed && deadline == Long.MAX_VALUE) {
                deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(told ? 3 * GRACE_SECONDS : GRACE_SECONDS);
            }
            if (deadline != Long.MAX_VALUE && System.nanoTime() > deadline) {
                processes.forEach(Process::destroyForcibly);
            }
            for (Process process : processes) {
                if (process.isAlive()) {
                    process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
                    break;
                }
            }
        }
    }
}
