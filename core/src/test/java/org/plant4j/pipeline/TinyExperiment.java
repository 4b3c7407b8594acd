package org.plant4j.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
import org.plant4j.experiment.RunDirectory;
import org.plant4j.experiment.TinyEncoder;
import org.plant4j.pipeline.stage.Session;

/** A synthetic corpus of a few dozen sentences, and experiments on it that run in a fraction of a second. */
public record TinyExperiment(Path directory) {

    private static final List<String> CODES = List.of("E11.9", "I50.9", "J45.909", "N18.6");
    private static final List<String> SIGNS =
            List.of("sugar raised", "heart failing", "wheezing breath", "kidney dialysis");
    private static final List<String> FILLERS =
            List.of("seen today", "at home", "since monday", "by ambulance", "again");

    /** Writes train.csv, dev.csv and test.csv; one test document has a code, Z99.2, without training documents. */
    public static TinyExperiment in(Path directory) {
        TinyExperiment tiny = new TinyExperiment(directory);
        tiny.csv("train.csv", 24, 0);
        tiny.csv("dev.csv", 8, 5);
        tiny.csv("test.csv", 8, 3);
        tiny.append("test.csv", "test.csv-x,Wheezing on a ventilator.,Z99.2;J45.909");
        return tiny;
    }

    private void csv(String name, int documents, int shift) {
        List<String> lines = new ArrayList<>(List.of("id,text,codes"));
        for (int i = 0; i < documents; i++) {
            int one = i % 4;
            int two = (i / 4 + shift) % 4;
            lines.add(name + "-" + i + ",Patient with " + SIGNS.get(one) + " " + FILLERS.get((i + shift) % 5) + " and "
                    + SIGNS.get(two) + ".," + CODES.get(one) + ";" + CODES.get(two));
        }
        write(name, lines.toArray(String[]::new));
    }

    public Path write(String name, String... lines) {
        try {
            return Files.write(directory.resolve(name), List.of(lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void append(String name, String line) {
        try {
            List<String> lines = new ArrayList<>(Files.readAllLines(directory.resolve(name)));
            lines.add(line);
            Files.write(directory.resolve(name), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A small LAAT with additional settings. */
    public Experiment laat(String... overrides) {
        return read(
                "laat",
                List.of(
                        "word_vectors=null",
                        "model.embedding=8",
                        "model.hidden=8",
                        "model.projection=8",
                        "model.initial_deviation=0.3",
                        "training.epochs=3",
                        "training.learning_rate=0.03",
                        "training.batch_size=4"),
                overrides);
    }

    /** A small PLANT with a ranker that trains quickly. */
    public Experiment plant(String... overrides) {
        return read(
                "plant",
                List.of(
                        "word_vectors=null",
                        "ranker.epochs=3",
                        "ranker.top_tokens=10",
                        "ranker.sampled_tokens=10",
                        "ranker.held_out_every=3",
                        "model.encoder.embedding=8",
                        "model.encoder.hidden=8",
                        "model.ranker.size=8",
                        "training.epochs=2",
                        "training.learning_rate=0.03",
                        "training.batch_size=4"),
                overrides);
    }

    /** A model with the encoder that {@link TinyEncoder} wrote to {@code encoders/tiny}. */
    public Experiment bert(String base, String... overrides) {
        return read(
                "[" + base + ", encoders/tiny/encoder.yaml]",
                List.of(
                        "ranker.epochs=3",
                        "ranker.top_tokens=10",
                        "ranker.sampled_tokens=10",
                        "ranker.held_out_every=3",
                        "model.encoder.window=8",
                        "model.encoder.overlap=3",
                        "model.ranker.size=8",
                        "training.epochs=2",
                        "training.learning_rate=0.03",
                        "training.batch_size=4"),
                overrides);
    }

    /** Label description attention or its baseline, with a code set of the four codes. */
    public Experiment described(String bases, String... overrides) {
        Path codeSet = write(
                "code-set.tsv",
                "code\tdescription\tparent\tvalid",
                "E11.9\traised sugar\t\t1",
                "I50.9\tfailing heart\t\t1",
                "J45.909\tbreath with wheezing\t\t1",
                "N18.6\tkidney on dialysis\t\t1");
        return read(
                bases,
                List.of(
                        "code_sets=[" + codeSet + "]",
                        bases.contains("encoder.yaml") ? "seed=1" : "pretrained_encoder=null",
                        "model.window=8",
                        "model.overlap=3",
                        "training.epochs=2",
                        "training.learning_rate=0.03",
                        "training.batch_size=4"),
                overrides);
    }

    /** Description matching with the given code set. */
    public Experiment descriptionMatching(Path codeSet, String... overrides) {
        return read("description-matching", List.of("code_sets=[" + codeSet + "]"), overrides);
    }

    /** Mention matching that translates names, with the given code set and JSON lines instead of tables. */
    public Experiment translatedMentions(Path codeSet, String... overrides) {
        return read(
                "mention-matching",
                List.of(
                        "code_sets=[" + codeSet + "]",
                        "corpus={format: jsonl, path: '" + directory
                                + "', train: [train.jsonl], dev: [dev.jsonl], test: []}",
                        "translations=[{format: jsonl, path: '" + directory + "', train: [english.jsonl]}]",
                        "preprocessing.zero_shot_labels=code_set",
                        "model.descriptions=true",
                        "model.translate=true",
                        "model.trees=40"),
                overrides);
    }

    /** A small ISD; its code set has all codes but one. */
    public Experiment isd(String... overrides) {
        write(
                "codes.tsv",
                "code\tdescription\tparent\tvalid",
                "E11.9\tSugar raised\t\t1",
                "I50.9\tFailing heart\t\t1",
                "N18.6\tKidney on dialysis\t\t1");
        return read(
                "isd",
                List.of(
                        "code_sets=[" + directory.resolve("codes.tsv") + "]",
                        "word_vectors.size=8",
                        "model.encoder={type: convolutions, embedding: 8, filters: 4, kernels: [1, 3], dropout: 0.1}",
                        "model.queries=4",
                        "model.heads=2",
                        "model.intermediate=16",
                        "training.epochs=3",
                        "training.learning_rate=0.01",
                        "training.batch_size=4"),
                overrides);
    }

    public Experiment prior(String... overrides) {
        return read("prior", List.of(), overrides);
    }

    public Experiment linear(String... overrides) {
        return read("linear", List.of(), overrides);
    }

    private Experiment read(String base, List<String> sizes, String... overrides) {
        Path file = write(
                base.replaceAll("[^a-z-]", "") + "-tiny.yaml",
                "extends: " + base,
                "name: tiny",
                "corpus: {format: csv, path: ., train: [train.csv], dev: [dev.csv], test: [test.csv]}",
                "preprocessing: {min_token_count: 1}",
                "evaluation: {bootstrap_samples: 20}",
                "compute: {device: cpu, threads: 1}");
        List<String> all = new ArrayList<>(sizes);
        all.addAll(List.of(overrides));
        return ExperimentFile.read(file, all);
    }

    public Path runs() {
        return directory.resolve("runs");
    }

    /** Completes a run and returns its directory. */
    public Path run(Experiment experiment) {
        Pipeline pipeline = new Pipeline(experiment, runs(), session(new ArrayList<>()));
        pipeline.run();
        return pipeline.runDirectory().path();
    }

    /** Turns a run into one that a version without checksums wrote. */
    public static void removeChecksums(RunDirectory run) {
        try {
            ObjectNode manifest =
                    (ObjectNode) RunDirectory.JSON.readTree(run.manifest().toFile());
            manifest.remove(List.of("format", "files", "checksum"));
            Files.writeString(run.manifest(), manifest.toPrettyString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A session that records the outcome of each stage. */
    public static Session session(List<String> stages) {
        return session(stages, BadRowHandler.fail(), false, () -> false);
    }

    static Session session(List<String> stages, BadRowHandler badRows, boolean force, BooleanSupplier stop) {
        return new Session(
                "a test", badRows, force, Progress.NONE, stop, (name, outcome) -> stages.add(name + ": " + outcome));
    }
}
