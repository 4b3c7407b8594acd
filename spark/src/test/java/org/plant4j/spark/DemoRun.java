package org.plant4j.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.plant4j.Document;
import org.plant4j.Progress;
import org.plant4j.corpus.Split;
import org.plant4j.corpus.demo.DemoCorpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** A small LAAT, trained once per JVM on a few documents of the demo corpus. */
public final class DemoRun {

    private static final DemoCorpus.Sizes SIZES = new DemoCorpus.Sizes(60, 10, 40);

    public static final Path DIRECTORY = train();

    private DemoRun() {}

    public static List<Document> documents(Split split) {
        return new DemoCorpus(split, 1, SIZES).documents().toList();
    }

    private static Path train() {
        try {
            Path directory = Files.createDirectories(Path.of("target/demo-run"));
            Path file = Files.writeString(directory.resolve("small.yaml"), """
                    extends: laat
                    name: small
                    corpus: {format: demo, train: [train], dev: [dev], test: [test], options: {sizes: 60/10/40}}
                    word_vectors: null
                    model: {embedding: 16, hidden: 16, projection: 16, initial_deviation: 0.2}
                    training: {epochs: 2, learning_rate: 0.02, batch_size: 8}
                    evaluation: {bootstrap_samples: 20}
                    compute: {device: cpu, threads: 1}
                    """);
            Pipeline pipeline = new Pipeline(
                    ExperimentFile.read(file, List.of()),
                    directory.resolve("runs"),
                    new Session(
                            "a test", BadRowHandler.fail(), true, Progress.NONE, () -> false, (stage, outcome) -> {}));
            pipeline.run();
            return pipeline.runDirectory().path().toAbsolutePath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
