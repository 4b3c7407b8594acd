package org.plant4j.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** A linear model of a few demo notes, trained once for all server tests. */
final class TinyRun {

    private static final Supplier<RunDirectory> RUN = new Supplier<>() {
        private RunDirectory trained = new RunDirectory(Path.of(""));

        @Override
        public synchronized RunDirectory get() {
            if (!Files.exists(trained.manifest())) {
                trained = train();
            }
            return trained;
        }
    };

    private TinyRun() {}

    static RunDirectory directory() {
        return RUN.get();
    }

    private static RunDirectory train() {
        try {
            Path runs = Files.createTempDirectory("server-runs");
            runs.toFile().deleteOnExit();
            Experiment experiment = ExperimentFile.open(
                    "linear@demo", List.of("corpus.options.sizes=120/30/30", "evaluation.bootstrap_samples=20"));
            Pipeline pipeline = new Pipeline(
                    experiment,
                    runs,
                    new Session("a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, how) -> {}));
            pipeline.run();
            return pipeline.runDirectory();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
