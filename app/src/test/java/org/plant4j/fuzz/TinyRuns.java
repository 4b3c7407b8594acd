package org.plant4j.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.plant4j.Progress;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;

/** Models of a few sentences, each trained in a fraction of a second. */
record TinyRuns(Path directory) {

    static final List<String> MODELS = List.of("linear", "laat", "plant");

    private static final List<String> CODES = List.of("E11.9", "I50.9", "J45.909", "N18.6");
    private static final List<String> SIGNS =
            List.of("sugar raised", "heart failing", "wheezing breath", "kidney dialysis");
    private static final List<String> FILLERS =
            List.of("seen today", "at home", "since monday", "by ambulance", "again");

    static TinyRuns in(Path directory) {
        TinyRuns runs = new TinyRuns(directory);
        runs.write("train.csv", documents(24, 0));
        runs.write("dev.csv", documents(8, 5));
        runs.write("test.csv", documents(8, 3));
        runs.write(
                "code-set.tsv",
                List.of(
                        "code\tdescription\tparent\tvalid",
                        "E11.9\traised sugar\t\t1",
                        "I50.9\tfailing heart\t\t1",
                        "N18.6\tkidney on dialysis\t\t1"));
        return runs;
    }

    /** A text of the kind that the models were trained on. */
    static String text(int number) {
        return "Patient with " + SIGNS.get(number % 4) + " " + FILLERS.get(number % 5) + " and "
                + SIGNS.get(number / 4 % 4) + ".";
    }

    private static List<String> documents(int number, int shift) {
        List<String> rows = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < number; i++) {
            int one = i % 4;
            int two = (i / 4 + shift) % 4;
            rows.add("d" + shift + "-" + i + ",Patient with " + SIGNS.get(one) + " " + FILLERS.get((i + shift) % 5)
                    + " and " + SIGNS.get(two) + ".," + CODES.get(one) + ";" + CODES.get(two));
        }
        return rows;
    }

    private void write(String name, List<String> lines) {
        try {
            Files.createDirectories(directory);
            Files.write(directory.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Experiment experiment(String model) {
        write(
                model + ".yaml",
                List.of(
                        "extends: [" + model + "]",
                        "name: " + model,
                        "corpus: {format: csv, path: ., train: [train.csv], dev: [dev.csv], test: [test.csv]}",
                        "code_sets: [code-set.tsv]",
                        "preprocessing: {min_token_count: 1}",
                        "evaluation: {bootstrap_samples: 5}",
                        "compute: {device: cpu, threads: 1}"));
        return ExperimentFile.read(directory.resolve(model + ".yaml"), sizes(model));
    }

    private static List<String> sizes(String model) {
        List<String> training = List.of(
                "training.epochs=3", "training.learning_rate=0.03", "training.batch_size=4", "word_vectors=null");
        List<String> sizes = new ArrayList<>(
                switch (model) {
                    case "laat" -> List.of("model.embedding=8", "model.hidden=8", "model.projection=8");
                    case "plant" ->
                        List.of(
                                "ranker.epochs=2",
                                "ranker.top_tokens=10",
                                "ranker.sampled_tokens=10",
                                "ranker.held_out_every=3",
                                "model.encoder.embedding=8",
                                "model.encoder.hidden=8",
                                "model.ranker.size=8");
                    default -> List.of();
                });
        if (!sizes.isEmpty()) {
            sizes.addAll(training);
        }
        return sizes;
    }

    /** Trains a model and returns its run directory. */
    Path train(String model) {
        return run(model, directory.resolve("runs"), () -> false);
    }

    /** Runs an experiment until it is done or stopped. */
    Path run(String model, Path runs, BooleanSupplier stop) {
        Pipeline pipeline = new Pipeline(
                experiment(model),
                runs,
                new Session("fuzz", BadRowHandler.fail(), false, Progress.NONE, stop, (stage, outcome) -> {}));
        pipeline.run();
        return pipeline.runDirectory().path();
    }
}
