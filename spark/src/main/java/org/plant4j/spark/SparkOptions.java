package org.plant4j.spark;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
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

    /** Opens the session of a job. Settings of {@code spark-submit} are system properties and take precedence over ours. */
    SparkSession open(String job) {
        SparkSession.Builder builder = SparkSession.builder().appName("plant-spark " + job);
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
