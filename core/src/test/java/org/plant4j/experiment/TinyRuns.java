package org.plant4j.experiment;

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
import org.plant4j.corpus.BadRows;
import org.plant4j.models.LabelNetwork;
import org.plant4j.nn.Checkpoint;
import org.plant4j.nn.Golden;
import org.plant4j.predict.RunFolder;
import org.plant4j.train.History;

/** Runs of experiments on a tiny corpus, what they told and what they left: for tests to extend. */
abstract class TinyRuns {

    static final String VECTORS =
            "vectors={size: 8, window: 2, smoothing: 0.75, power: 0.5, passes: 1, scale: 1.0, max_pairs: 10000}";

    @TempDir
    Path folder;

    TinyExperiment tiny;
    final List<String> heard = new ArrayList<>();

    @BeforeEach
    final void writeCorpus() {
        tiny = TinyExperiment.in(folder);
    }

    boolean run(Experiment experiment) {
        return run(experiment, BadRows.fail(), false, () -> false);
    }

    boolean run(Experiment experiment, BooleanSupplier stop) {
        return run(experiment, BadRows.fail(), false, stop);
    }

    boolean run(Experiment experiment, BadRows badRows, boolean force, BooleanSupplier stop) {
        return new Pipeline(experiment, tiny.runs(), TinyExperiment.session(heard, badRows, force, stop)).run();
    }

    RunFolder folder(Experiment experiment) {
        return new RunFolder(tiny.runs().resolve(experiment.name()));
    }

    static Manifest manifest(RunFolder run) {
        return run.read(run.manifest(), Manifest.class);
    }

    History history(String name) {
        RunFolder run = new RunFolder(tiny.runs().resolve(name));
        return run.read(run.history(), History.class);
    }

    byte[] weights(String name) throws IOException {
        return Files.readAllBytes(tiny.runs().resolve(name).resolve(LabelNetwork.WEIGHTS));
    }

    /** What a stage left for other runs. */
    List<Path> cached(String stage) throws IOException {
        try (Stream<Path> all = Files.list(tiny.runs().resolve(".cache"))) {
            return all.filter(path -> path.getFileName().toString().matches(stage + "-.*(?<!\\.lock)"))
                    .sorted()
                    .toList();
        }
    }

    static double[] weights(Path file, String name) {
        try (PointerScope scope = new PointerScope()) {
            return Golden.values(Checkpoint.pick(file, name::equals), name);
        }
    }
}
