package org.plant4j.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** Small runs whose models provide explanations besides evidence, trained on sentences about four codes. */
public record ExplainableRuns(Path directory) {

    private static final List<String> CODES = List.of("E11.9", "I50.9", "J45.909", "N18.6");
    private static final List<String> SIGNS =
            List.of("sugar raised", "heart failing", "wheezing breath", "kidney dialysis");
    private static final List<String> FILLERS =
            List.of("seen today", "at home", "since monday", "by ambulance", "again");

    static ExplainableRuns in(Path directory) {
        ExplainableRuns runs = new ExplainableRuns(directory);
        runs.write(
                "book.tsv",
                List.of(
                        "code\tdescription\tparent\tvalid",
                        "E11.9\traised sugar\t\t1",
                        "I50.9\tfailing heart\t\t1",
                        "J45.909\tbreath with wheezing\t\t1",
                        "N18.6\tkidney on dialysis\t\t1",
                        "Z99.2\tdependence on dialysis\t\t1"));
        runs.documents("train.csv", 24, 0);
        runs.documents("dev.csv", 8, 5);
        runs.documents("test.csv", 8, 3);
        return runs;
    }

    private void documents(String name, int number, int shift) {
        List<String> lines = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < number; i++) {
            int one = i % 4;
            int two = (i / 4 + shift) % 4;
            lines.add(name + "-" + i + ",Patient with " + SIGNS.get(one) + " " + FILLERS.get((i + shift) % 5) + " and "
                    + SIGNS.get(two) + ".," + CODES.get(one) + ";" + CODES.get(two));
        }
        write(name, lines);
    }

    /** Label description attention over a BiLSTM. */
    RunDirectory descriptionAttention() {
        return run(
                "description-attention",
                "pretrained_encoder=null",
                "model.encoder={type: bilstm, embedding: 8, hidden: 8, dropout: 0}",
                "model.projection=8",
                "model.lexical=true",
                "model.dropout=0",
                "model.window=8",
                "model.overlap=3",
                "training.encoder_learning_rate_scale=1",
                "training.layer_decay=1",
                "training.epochs=12",
                "training.learning_rate=0.03");
    }

    /** A small LAAT, whose training can be continued. */
    RunDirectory laat() {
        return run(
                "laat",
                "word_vectors=null",
                "model.embedding=8",
                "model.hidden=8",
                "model.projection=8",
                "model.initial_deviation=0.3",
                "training.epochs=12",
                "training.learning_rate=0.03");
    }

    /** ISD with four views. */
    RunDirectory isd() {
        return run(
                "isd",
                "word_vectors.size=8",
                "model.encoder={type: convolutions, embedding: 8, filters: 4, kernels: [1, 3], dropout: 0.1}",
                "model.queries=4",
                "model.heads=2",
                "model.intermediate=16",
                "training.epochs=3",
                "training.learning_rate=0.01");
    }

    private RunDirectory run(String base, String... overrides) {
        Path file = write(
                base + "-tiny.yaml",
                List.of(
                        "extends: " + base,
                        "name: " + base,
                        "corpus: {format: csv, path: ., train: [train.csv], dev: [dev.csv], test: [test.csv]}",
                        "code_sets: [" + directory.resolve("book.tsv") + "]",
                        "preprocessing: {min_token_count: 1}",
                        "evaluation: {bootstrap_samples: 20}",
                        "compute: {device: cpu, threads: 1}"));
        List<String> all = new ArrayList<>(List.of("training.batch_size=4"));
        all.addAll(List.of(overrides));
        Pipeline pipeline = new Pipeline(
                ExperimentFile.read(file, all),
                directory.resolve("runs"),
                new Session("a test", BadRowHandler.fail(), false, Progress.NONE, () -> false, (stage, how) -> {}));
        pipeline.run();
        return pipeline.runDirectory();
    }

    private Path write(String name, List<String> lines) {
        try {
            return Files.write(directory.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
