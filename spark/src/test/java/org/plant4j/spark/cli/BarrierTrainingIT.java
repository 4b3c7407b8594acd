package org.plant4j.spark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.distributed.GroupSettings;
import org.plant4j.distributed.ProcessGroup;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** Two executors train as two processes that are started by hand. The build sets {@code SPARK_HOME}. */
@EnabledOnOs(OS.LINUX)
class BarrierTrainingIT {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;

    private Path experiment;

    @BeforeEach
    void write() throws IOException {
        System.setProperty("log4j2.configurationFile", "classpath:org/plant4j/spark/log4j2.properties");
        // Spark requires the directory; the jars are those of the tests.
        Files.createDirectories(Path.of(Objects.requireNonNull(System.getenv("SPARK_HOME"), "SPARK_HOME"), "jars"));
        experiment = Files.writeString(directory.resolve("small.yaml"), """
                extends: laat
                name: small
                corpus: {format: demo, train: [train], dev: [dev], test: [test], options: {sizes: 24/8/8}}
                word_vectors: null
                model: {embedding: 8, hidden: 8, projection: 8, dropout: 0.3}
                training: {epochs: 2, batch_size: 8}
                evaluation: {bootstrap_samples: 20}
                compute: {device: cpu, threads: 1}
                """);
    }

    private int trainOnSpark(String... further) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                experiment.toString(),
                "--runs",
                directory.resolve("spark").toString(),
                "--processes",
                "2",
                "--master",
                "local[2]",
                "--conf",
                "spark.ui.enabled=false",
                "--conf",
                "spark.executor.extraClassPath=" + CLASS_PATH));
        arguments.addAll(List.of(further));
        return Main.run(arguments.toArray(String[]::new));
    }

    /** One process: {@code EXPERIMENT RUNS RANK RENDEZVOUS}. */
    static final class Member {

        private Member() {}

        public static void main(String[] args) {
            Session session = new Session(
                    "a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, outcome) -> {});
            try (ProcessGroup group =
                    GroupSettings.of(Integer.parseInt(args[2]), 2).join(args[3])) {
                new Pipeline(
                                ExperimentFile.read(Path.of(args[0]), List.of()),
                                Path.of(args[1]),
                                session.withGroup(group))
                        .run();
            }
        }
    }

    private void trainByHand() throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            CLASS_PATH,
                            Member.class.getName(),
                            experiment.toString(),
                            directory.resolve("by-hand").toString(),
                            Integer.toString(rank),
                            "file:" + directory.resolve("rendezvous"))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("rank-" + rank + ".log").toFile())
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor()).isZero();
        }
    }

    private byte[] weights(String runs) throws IOException {
        return Files.readAllBytes(directory.resolve(runs).resolve("small/weights.safetensors"));
    }

    @Test
    void aBarrierStageTrainsAsProcessesStartedByHand() throws IOException, InterruptedException {
        assertThat(trainOnSpark()).isZero();
        trainByHand();
        assertThat(weights("spark")).isEqualTo(weights("by-hand"));

        // The run exists with other settings: an error of a process reaches the user.
        assertThat(trainOnSpark("--set", "training.epochs=1")).isEqualTo(2);
    }
}
