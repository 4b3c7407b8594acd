package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.train.TrainingHistory;

/** Two processes run an experiment together: with the result of one, and resumed by one after a process was killed. */
@EnabledOnOs(OS.LINUX)
class GroupTrainingIT {

    private static final int TIMEOUT_SECONDS = 300;

    @TempDir
    private Path directory;

    /** All trained stages but the language models, without dropout. */
    static Experiment experiment(TinyExperiment tiny, String epochs) {
        return tiny.plant(
                PipelineTestCase.VECTORS,
                "model.dropout=0",
                "model.encoder.dropout=0",
                "training.epochs=" + epochs,
                "training.patience=" + epochs);
    }

    private final List<Process> processes = new ArrayList<>();

    /** The output of the first process goes to {@code output}, which must not block it. */
    private void start(Path runs, String epochs, ProcessBuilder.Redirect output) throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            processes.add(new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx512m",
                            "-XX:TieredStopAtLevel=1",
                            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                            "-cp",
                            System.getProperty("java.class.path"),
                            GroupTrainingProcess.class.getName(),
                            directory.toString(),
                            runs.toString(),
                            Integer.toString(rank),
                            "2",
                            "file:" + directory.resolve("rendezvous-" + runs.getFileName()),
                            epochs))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(rank == 0 ? output : ProcessBuilder.Redirect.DISCARD)
                    .start());
        }
    }

    private List<Integer> exitCodes() throws InterruptedException {
        List<Integer> codes = new ArrayList<>();
        for (Process process : processes) {
            assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
            codes.add(process.exitValue());
        }
        return codes;
    }

    private static List<Double> losses(Path runs) {
        RunDirectory run = RunDirectory.open(runs.resolve("tiny"));
        return Stream.of(run.rankerHistory(), run.history())
                .flatMap(file -> run.read(file, TrainingHistory.class).epochs().stream())
                .map(TrainingHistory.Epoch::trainLoss)
                .toList();
    }

    private static void assertClose(List<Double> losses, List<Double> expected) {
        assertThat(losses).hasSameSizeAs(expected);
        for (int i = 0; i < losses.size(); i++) {
            assertThat(losses.get(i)).as("epoch %d", i).isCloseTo(expected.get(i), within(1e-5 * expected.get(i)));
        }
    }

    private static List<String> files(Path runs) throws IOException {
        try (Stream<Path> files = Files.walk(runs)) {
            return files.map(file -> runs.relativize(file).toString()).sorted().toList();
        }
    }

    @Test
    void twoProcessesLeaveTheFilesAndLossesOfOne() throws IOException, InterruptedException {
        Path two = directory.resolve("two");
        TinyExperiment tiny = TinyExperiment.in(directory);
        try {
            start(two, "3", ProcessBuilder.Redirect.DISCARD);
            Path one = directory.resolve("one");
            new Pipeline(experiment(tiny, "3"), one, TinyExperiment.session(new ArrayList<>())).run();
            assertThat(exitCodes()).containsExactly(0, 0);
            assertClose(losses(two), losses(one));
            assertThat(files(two)).isEqualTo(files(one));
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void aKilledProcessEndsTheOtherAndTrainingResumesInOneProcess() throws IOException, InterruptedException {
        Path runs = directory.resolve("killed");
        TinyExperiment tiny = TinyExperiment.in(directory);
        try {
            start(runs, "400", ProcessBuilder.Redirect.PIPE);
            try (BufferedReader lines = processes.get(0).inputReader(StandardCharsets.UTF_8)) {
                String line = lines.readLine();
                while (line != null && !line.startsWith(TrainingProcess.EVENT + "network epoch 2/")) {
                    line = lines.readLine();
                }
                assertThat(line).isNotNull();
                processes.get(1).destroyForcibly();
                while (line != null) { // or the process would block on its output
                    line = lines.readLine();
                }
            }
            assertThat(exitCodes()).containsExactly(GroupTrainingProcess.EXIT_PEER_FAILURE, 128 + 9);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
        RunDirectory run = new RunDirectory(runs.resolve("tiny"));
        assertThat(run.checkpoint()).exists();
        List<String> stages = new ArrayList<>();
        int[] polls = new int[1];
        new Pipeline(
                        experiment(tiny, "400"),
                        runs,
                        TinyExperiment.session(stages, BadRowHandler.fail(), false, () -> polls[0]++ > 20))
                .run();
        assertThat(stages)
                .contains("ranker: reused", "network: resumed from " + run.checkpoint())
                .doesNotContain("prepare: damaged");
    }
}
