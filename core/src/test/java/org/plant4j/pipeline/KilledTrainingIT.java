package org.plant4j.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.plant4j.Coder;
import org.plant4j.UserError;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;

/**
 * A training that is killed shortly after a random stage or epoch and resumed ends with the same files as an
 * uninterrupted one. For more kills: {@code mvn -pl core verify -Dit.test=KilledTrainingIT -Dkills=20}.
 */
class KilledTrainingIT {

    private static final int KILLS = Integer.getInteger("kills", 2);
    private static final long SEED = Long.getLong("seed", 14);

    /** Milliseconds; about the length of an epoch. */
    private static final long MAX_DELAY = 40;

    /** They contain times. */
    private static final List<String> WITH_TIMES = List.of("history.json", "ranker-history.json", "report.html");

    @TempDir
    private Path directory;

    /** Many short epochs; without dev each one is the best so far, so that a kill often hits a write of weights. */
    static Experiment experiment(TinyExperiment tiny) {
        return tiny.plant(PipelineTestCase.VECTORS, "corpus.dev=[]", "training.epochs=30", "ranker.epochs=5");
    }

    private enum Signal {
        SIGKILL(137),
        SIGTERM(143);

        private final int exitCode;

        Signal(int exitCode) {
            this.exitCode = exitCode;
        }

        void send(Process process) {
            if (this == SIGKILL) {
                process.destroyForcibly();
            } else {
                process.destroy();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKilledTrainingResumesToTheSameFiles(Signal signal) throws IOException, InterruptedException {
        TinyExperiment tiny = TinyExperiment.in(directory);
        List<String> events = new ArrayList<>();
        SortedMap<String, String> expected = complete(tiny, directory.resolve("uninterrupted"), events);
        System.out.println(KILLS + " times " + signal + ", -Dseed=" + SEED + ", weights " + weights(expected));
        Random random = new Random(SEED);
        for (int kill = 1; kill <= KILLS; kill++) {
            Path runs = directory.resolve("killed-" + kill);
            int event = random.nextInt(events.size() - 1);
            long delay = random.nextLong(MAX_DELAY);
            trainAndKill(runs, events.get(event), delay, signal);
            RunDirectory run = new RunDirectory(runs.resolve("tiny"));
            String state = Files.exists(run.manifest()) ? run.readManifest().status() : "not created";
            String use = predict(run);
            SortedMap<String, String> resumed = complete(tiny, runs, new ArrayList<>());
            System.out.println("kill " + kill + ", " + delay + " ms after " + events.get(event) + ", run " + state
                    + ", " + use + ": weights " + weights(resumed));
            assertThat(resumed).as("kill %d", kill).isEqualTo(expected);
        }
    }

    private static String weights(SortedMap<String, String> files) {
        return files.getOrDefault("weights.safetensors", "missing").substring(0, 16);
    }

    /** Completes the run in this process, and returns the checksums of the files that contain no times. */
    private static SortedMap<String, String> complete(TinyExperiment tiny, Path runs, List<String> events) {
        Experiment experiment = experiment(tiny);
        new Pipeline(experiment, runs, TrainingProcess.session(events::add)).run();
        RunDirectory run = RunDirectory.open(runs.resolve(experiment.name()));
        SortedMap<String, String> files =
                new TreeMap<>(run.readManifest().files().files());
        files.keySet().removeAll(WITH_TIMES);
        return files;
    }

    /** A killed run can predict, or says why not. */
    private static String predict(RunDirectory run) {
        try (Coder coder = Coder.load(run.path())) {
            return "predicts " + coder.rank(List.of("Heart failing."), 4).size() + " document";
        } catch (UserError e) {
            return e.what();
        }
    }

    /** Sends a signal to the training some milliseconds after an event. */
    private void trainAndKill(Path runs, String event, long delay, Signal signal)
            throws IOException, InterruptedException {
        Process training = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrainingProcess.class.getName(),
                        directory.toString(),
                        runs.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (BufferedReader lines = training.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && !line.equals(TrainingProcess.EVENT + event)) {
                line = lines.readLine();
            }
            assertThat(line).isNotNull();
            training.waitFor(delay, TimeUnit.MILLISECONDS);
            signal.send(training);
            assertThat(training.waitFor(60, TimeUnit.SECONDS)).as("ends").isTrue();
            assertThat(training.exitValue()).isEqualTo(signal.exitCode);
        } finally {
            training.destroyForcibly().waitFor();
        }
    }
}
