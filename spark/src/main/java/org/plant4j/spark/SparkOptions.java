package org.plant4j.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of every job: where it runs, and Spark's own settings. */
@Command(mixinStandardHelpOptions = true)
final class SparkOptions {

    private static final String MASTER = "spark.master";
    private static final String ARCHIVES = "spark.archives";

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
