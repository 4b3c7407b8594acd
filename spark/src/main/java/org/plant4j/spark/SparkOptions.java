package org.plant4j.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of every job: where it runs, and Spark's own settings. */
@Command(mixinStandardHelpOptions = true)
final class SparkOptions {

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

    /** Runs a job in a session of its own, or in the existing one, as in a notebook, which then stays open. */
    int run(String name, Job job) throws Exception {
        boolean existing = SparkSession.getDefaultSession().isDefined();
        SparkSession spark = open(name);
        try {
            job.run(spark);
        } finally {
            if (!existing) {
                spark.stop();
            }
        }
        return CommandLine.ExitCode.OK;
    }

    /** Settings of {@code spark-submit} are system properties and take precedence over our defaults. */
    private SparkSession open(String name) {
        SparkSession.Builder builder = SparkSession.builder().appName("plant-spark " + name);
        Map<String, String> defaults = Map.of(
                "spark.master", "local[*]",
                // Otherwise JavaCPP queries the size of the process at every allocation of a tensor.
                "spark.executor.extraJavaOptions", "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "spark.ui.showConsoleProgress", "false");
        defaults.forEach((key, value) -> builder.config(key, System.getProperty(key, value)));
        master.ifPresent(builder::master);
        settings.forEach(builder::config);
        return builder.getOrCreate();
    }
}
