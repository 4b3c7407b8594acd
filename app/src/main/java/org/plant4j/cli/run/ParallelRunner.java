package org.plant4j.cli.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.support.UserError;

/**
 * Runs experiments as programs of their own, several at once, so that small ones share a GPU or the cores of a machine;
 * one that fails takes none along.
 */
public record ParallelRunner(String mainClass, Path directory, Path runs, int jobs, List<String> options, Consumer<String> listener) {

    private static final int POLL_MILLIS = 200;

    /** False where {@code stop} ended it; what a child had begun can go on later. */
    boolean run(List<Experiment> experiments, BooleanSupplier stop) {
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
                    "see there what was wrong; the same command goes on with what is missing");
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
            builder.environment().putAll(shareOfCores());
            Process child = builder.start();
            children.add(child);
            boolean done = child.waitFor() == 0;
            children.remove(child);
            long seconds = (System.nanoTime() - start) / 1_000_000_000;
            listener.accept("  " + experiment.name() + (done ? "  done in " : "  ended after ") + seconds + " s");
            return done;
        } catch (IOException e) {
            listener.accept("  " + experiment.name() + "  could not be started: " + e.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** This very program, started anew. */
    private List<String> command(Path file) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-Dplant.terminal") && !argument.startsWith("-agentlib"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(List.of("run", file.toString(), "--runs", runs.toString()));
        command.addAll(options);
        return command;
    }

    /** Threads that outnumber the cores, and wait for each other spinning, are slower than one. */
    private Map<String, String> shareOfCores() {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / jobs);
        return Map.of(
                "OMP_NUM_THREADS",
                Integer.toString(threads),
                "OPENBLAS_NUM_THREADS",
                Integer.toString(threads),
                "GOMP_SPINCOUNT",
                "0",
                "OPENBLAS_THREAD_TIMEOUT",
                "4");
    }
}
