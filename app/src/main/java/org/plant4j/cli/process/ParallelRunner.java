package org.plant4j.cli.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;

/**
 * Runs experiments in their own processes, several at a time, so that small ones share a GPU or the cores of a machine. A
 * failed run does not affect the others.
 */
public final class ParallelRunner {

    private static final int POLL_MILLIS = 200;

    private final String mainClass;
    private final Path directory;
    private final Path runs;
    private final int jobs;
    private final List<String> options;
    private final Consumer<String> listener;

    /** Writes experiment files and logs under {@code directory}; {@code options} are passed to each process. */
    public ParallelRunner(
            String mainClass, Path directory, Path runs, int jobs, List<String> options, Consumer<String> listener) {
        this.mainClass = mainClass;
        this.directory = directory;
        this.runs = runs;
        this.jobs = jobs;
        this.options = options;
        this.listener = listener;
    }

    /** Returns false if {@code stop} ended it; unfinished runs resume the next time. */
    public boolean run(List<Experiment> experiments, BooleanSupplier stop) {
        Queue<Process> children = new ConcurrentLinkedQueue<>();
        Queue<String> failed = new ConcurrentLinkedQueue<>();
        ExecutorService pool = Executors.newFixedThreadPool(jobs);
        for (Experiment experiment : experiments) {
            pool.execute(() -> {
                if (!stop.getAsBoolean() && !runOne(experiment, children) && !stop.getAsBoolean()) {
                    failed.add(experiment.name());
                }
            });
        }
        pool.shutdown();
        try {
            while (!pool.awaitTermination(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                if (stop.getAsBoolean()) {
                    children.forEach(Process::destroy); // each ends after its running step
                }
            }
        } catch (InterruptedException e) {
            children.forEach(Process::destroy);
            Thread.currentThread().interrupt();
            return false;
        }
        if (stop.getAsBoolean()) {
            return false;
        }
        if (!failed.isEmpty()) {
            throw new UserError(
                    failed.size() + " of " + experiments.size() + " runs failed: " + String.join(", ", failed),
                    log(failed.element()).toString(),
                    "see the log, fix the cause, and run the same command again to resume");
        }
        return true;
    }

    private Path log(String name) {
        return directory.resolve("logs").resolve(name + ".txt");
    }

    private boolean runOne(Experiment experiment, Queue<Process> children) {
        long start = System.nanoTime();
        try {
            Path file =
                    Files.createDirectories(directory.resolve("experiments")).resolve(experiment.name() + ".yaml");
            Files.writeString(file, ExperimentFile.toYaml(experiment));
            Files.createDirectories(directory.resolve("logs"));
            ProcessBuilder builder = new ProcessBuilder(command(file))
                    .redirectErrorStream(true)
                    .redirectOutput(log(experiment.name()).toFile());
            builder.environment().putAll(ChildJvm.shareOfCores(jobs));
            Process child = builder.start();
            children.add(child);
            boolean done = child.waitFor() == 0;
            children.remove(child);
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            listener.accept("  " + experiment.name() + (done ? "  done in " : "  failed after ") + seconds + " s");
            return done;
        } catch (IOException e) {
            listener.accept("  " + experiment.name() + "  failed to start: " + e.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The command line that starts this program again. */
    private List<String> command(Path file) {
        List<String> arguments = new ArrayList<>(List.of("run", file.toString(), "--runs", runs.toString()));
        arguments.addAll(options);
        return ChildJvm.command(mainClass, arguments, false);
    }
}
