package org.plant4j.spark.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of every job: where it runs, and Spark's own settings. */
@Command(mixinStandardHelpOptions = true)
final class SparkOptions {

    private static final String MASTER = "spark.master";
    private static final String ARCHIVES = "spark.archives";

    private static final String EXECUTOR_CORES = "spark.executor.cores";
    private static final Pattern LOCAL = Pattern.compile("local(\\[.*])?");

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Where to run: local[2], spark://HOST:7077, yarn or k8s://URL (default: that of spark-submit,"
                    + " otherwise all cores of this machine).")
    private Optional<String> master = Optional.empty();

    @Option(
            names = "--conf",
            paramLabel = "KEY=VALUE",
            description = "A setting of Spark, such as spark.executor.memory=2g; repeatable.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /** A job, which may wait for Spark. */
    @FunctionalInterface
    interface Job {
        void run(SparkSession spark) throws Exception;
    }

    /** A job that uses a run, given its name on the executors. */
    @FunctionalInterface
    interface RunJob {
        void run(SparkSession spark, String run) throws Exception;
    }

    /** Runs a job in a session of its own, or in the existing one, as in a notebook, which then stays open. */
    int run(String name, Job job) throws Exception {
        return run(name, Map.of(), job);
    }

    /** Runs a job with the model of a run, which is shipped to the executors if it is a directory of this machine. */
    int run(String name, String run, RunJob job) throws Exception {
        RunArchive archive =
                RunArchive.of(run, settings().getOrDefault(MASTER, "").startsWith("local"));
        String others = settings().getOrDefault(ARCHIVES, "");
        Map<String, String> archives = archive.file()
                .map(file -> Map.of(ARCHIVES, others.isEmpty() ? file.toString() : others + "," + file))
                .orElse(Map.of());
        return run(name, archives, spark -> job.run(spark, archive.name()));
    }

    /**
     * Runs a job whose tasks run all at once, each in an executor of its own: one task takes all cores of its executor. On this
     * machine, Spark starts the executors as processes.
     */
    int runTogether(String name, int processes, Job job) throws Exception {
        Map<String, String> all = settings();
        int cores = Integer.parseInt(all.getOrDefault(EXECUTOR_CORES, "1"));
        Map<String, String> further = new TreeMap<>(Map.of(
                EXECUTOR_CORES,
                Integer.toString(cores),
                "spark.task.cpus",
                Integer.toString(cores),
                "spark.cores.max",
                Integer.toString(processes * cores),
                // Executors may start slowly; by default Spark looks every 15 seconds, and 40 times.
                "spark.scheduler.barrier.maxConcurrentTasksCheck.interval",
                "2s",
                "spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures",
                "300"));
        if (LOCAL.matcher(all.getOrDefault(MASTER, "")).matches()) {
            long megabytes = JavaUtils.byteStringAsMb(all.getOrDefault("spark.executor.memory", "1g"));
            further.put(MASTER, "local-cluster[" + processes + "," + cores + "," + megabytes + "]");
        }
        return run(name, further, job);
    }

    private int run(String name, Map<String, String> further, Job job) throws Exception {
        boolean existing = SparkSession.getDefaultSession().isDefined();
        SparkSession.Builder builder = SparkSession.builder().appName("plant-spark " + name);
        settings().forEach(builder::config);
        further.forEach(builder::config);
        SparkSession spark = builder.getOrCreate();
        try {
            job.run(spark);
        } finally {
            if (!existing) {
                spark.stop();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Our defaults, below the system properties that {@code spark-submit} sets, below the options of the command. */
    private Map<String, String> settings() {
        Map<String, String> all = new TreeMap<>(Map.of(
                MASTER,
                "local[*]",
                // Otherwise JavaCPP queries the size of the process at every allocation of a tensor.
                "spark.executor.extraJavaOptions",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "spark.ui.showConsoleProgress",
                "false"));
        System.getProperties().stringPropertyNames().stream()
                .filter(key -> key.startsWith("spark."))
                .forEach(key -> all.put(key, System.getProperty(key)));
        master.ifPresent(url -> all.put(MASTER, url));
        all.putAll(settings);
        return all;
    }
}
