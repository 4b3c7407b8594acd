package org.plant4j.pipeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.bytedeco.javacpp.PointerScope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.RunManifest;
import org.plant4j.model.LabelNetwork;
import org.plant4j.tensor.Checkpoint;
import org.plant4j.tensor.Golden;
import org.plant4j.train.TrainingHistory;

/** Base class of tests that run experiments on a tiny corpus and check stages and files. */
public abstract class PipelineTestCase {

    public static final String VECTORS =
            "word_vectors={size: 8, window: 2, smoothing: 0.75, power: 0.5, passes: 1, scale: 1.0, max_pairs: 10000}";

    @TempDir
    public Path directory;

    public TinyExperiment tiny;
    public final List<String> stages = new ArrayList<>();

    @BeforeEach
    final void writeCorpus() {
        tiny = TinyExperiment.in(directory);
    }

    public boolean run(Experiment experiment) {
        return run(experiment, BadRowHandler.fail(), false, () -> false);
    }

    public boolean run(Experiment experiment, BooleanSupplier stop) {
        return run(experiment, BadRowHandler.fail(), false, stop);
    }

    public boolean run(Experiment experiment, BadRowHandler badRows, boolean force, BooleanSupplier stop) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(stages, badRows, force, stop)).run();
    }

    public RunDirectory runDirectory(Experiment experiment) {
        return new RunDirectory(tiny.runs().resolve(experiment.name()));
    }

    public static RunManifest manifest(RunDirectory run) {
        return run.readManifest();
    }

    TrainingHistory history(String name) {
        RunDirectory run = new RunDirectory(tiny.runs().resolve(name));
        return run.read(run.history(), TrainingHistory.class);
    }

    public byte[] weights(String name) throws IOException {
        return Files.readAllBytes(tiny.runs().resolve(name).resolve(LabelNetwork.WEIGHTS));
    }

    /** The cached results of a stage. */
    public List<Path> cached(String stage) throws IOException {
        try (Stream<Path> all = Files.list(tiny.runs().resolve(".cache"))) {
            return all.filter(path -> path.getFileName().toString().matches(stage + "-.*(?<!\\.lock)"))
                    .sorted()
                    .toList();
        }
    }

    public static double[] weights(Path file, String name) {
        try (PointerScope scope = new PointerScope()) {
            return Golden.values(Checkpoint.readMatching(file, name::equals), name);
        }
    }
}
