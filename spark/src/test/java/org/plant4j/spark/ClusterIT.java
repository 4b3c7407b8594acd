package org.plant4j.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.Document;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;

/** Runs {@code bench/cluster.sh}, with a small model, on the Spark home that the Maven profile {@code cluster} builds. */
class ClusterIT {

    private static final DemoCorpus.Sizes SIZES = new DemoCorpus.Sizes(60, 10, 300);

    @Test
    void aClusterGivesTheResultsOfOneMachineAlsoIfProcessesAreKilled(@TempDir Path directory)
            throws IOException, InterruptedException {
        ObjectMapper json = new ObjectMapper();
        List<String> lines = new ArrayList<>();
        for (Document note : new DemoCorpus(Split.TEST, 1, SIZES).documents().toList()) {
            lines.add(json.writeValueAsString(Map.of("id", note.id(), "text", note.text())));
        }
        Path notes = Files.write(directory.resolve("notes.jsonl"), lines);
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
