package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.format.JsonLinesCorpus;
import org.plant4j.spark.DemoRun;

/** Runs {@code bench/cluster.sh}, with a small model, on the Spark home that the Maven profile {@code cluster} builds. */
class ClusterIT {

    private static final DemoCorpus.Sizes SIZES = new DemoCorpus.Sizes(60, 10, 300);

    @Test
    void aClusterGivesTheResultsOfOneMachineAlsoIfProcessesAreKilled(@TempDir Path directory)
            throws IOException, InterruptedException {
        Path notes = Files.write(
                directory.resolve("notes.jsonl"),
                new DemoCorpus(Split.TEST, 1, SIZES)
                        .documents()
                        .map(JsonLinesCorpus::toJson)
                        .toList());
        Path log = directory.resolve("cluster.log");
        ProcessBuilder script = new ProcessBuilder(
                        "../bench/cluster.sh",
                        DemoRun.DIRECTORY.toString(),
                        notes.toString(),
                        directory.resolve("work").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        script.environment()
                .put("SPARK_HOME", Path.of("target/home").toAbsolutePath().toString());
        script.environment().put("PARTITION_BYTES", "32768");

        int status = script.start().waitFor();

        assertThat(status).as(() -> read(log)).isZero();
        assertThat(log).content().endsWith("== all results are equal\n");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
