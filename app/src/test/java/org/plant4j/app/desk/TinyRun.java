package org.plant4j.app.desk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.plant4j.Progress;
import org.plant4j.corpus.BadRows;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.Pipeline;
import org.plant4j.predict.RunFolder;

/** A linear model of a few demo notes, trained once for all tests of the desk. */
final class TinyRun {

    private static final Supplier<RunFolder> RUN = new Supplier<>() {
        private RunFolder trained = new RunFolder(Path.of(""));

        @Override
        public synchronized RunFolder get() {
            if (!Files.exists(trained.manifest())) {
                trained = train();
            }
            return trained;
        }
    };

    private TinyRun() {}

    static RunFolder folder() {
        return RUN.get();
    }

    private static RunFolder train() {
        try {
            Path runs = Files.createTempDirectory("desk-runs");
            runs.toFile().deleteOnExit();
            Experiment experiment = ExperimentFile.packaged(
                    "demo-linear", List.of("corpus.options.sizes=120/30/30", "evaluation.bootstrap=20"));
            Pipeline pipeline = new Pipeline(
                    experiment,
                    runs,
                    new Pipeline.Session(
                            "a test", BadRows.fail(), false, Progress.NONE, () -> false, (stage, how) -> {}));
            pipeline.run();
            return pipeline.folder();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
