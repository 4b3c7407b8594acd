package org.plant4j;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.Pipeline;
import org.plant4j.pipeline.stage.Session;
import org.plant4j.support.Arguments;

/**
 * Trains and evaluates a model on documents of your program, as {@code plant run} does on files.
 *
 * <pre>{@code
 * List<Document> documents = reports.stream()
 *         .map(report -> new Document(report.id(), report.text(), report.codes()))
 *         .toList();
 * TrainingResult result = Training.of(documents)
 *         .model("plant")
 *         .descriptions(Map.of("I10", "Essential hypertension"))
 *         .run(Path.of("runs/mine"));
 * result.test().ifPresent(test -> System.out.println(test.metric(MetricNames.MICRO_F1)));
 * }</pre>
 *
 * <p>The run directory is that of {@code plant run}, without {@code plant.log}: {@link Coder#load} and all commands accept it.
 * Stages that runs share, and the documents, are stored in {@code .cache} beside it.
 *
 * <p><b>Resuming.</b> If you run the same training again, finished stages are reused, and a training that was stopped or killed
 * continues after its last epoch. If the directory contains a run with other documents or settings, {@link #run} throws a
 * {@link UserError}; {@link #replace} replaces that run.
 *
 * <p>Not safe for use by several threads. Methods throw {@link NullPointerException} if an argument is null.
 */
public final class Training {

    private final Map<String, Collection<Document>> documents = new LinkedHashMap<>();
    private final Map<String, String> descriptions = new LinkedHashMap<>();
    private final List<String> settings = new ArrayList<>();
    private Optional<String> fractions = Optional.empty();
    private String model = "auto";
    private boolean replace;
    private Progress progress = Progress.NONE;
    private BooleanSupplier stop = () -> false;
    private StageListener listener = (stage, outcome) -> {};

    private Training(Collection<Document> train) {
        documents.put("train", List.copyOf(train));
    }

    /**
     * Trains on documents with codes. Unless you add {@link #dev} or {@link #test} documents, a tenth of them becomes dev and
     * a tenth becomes test, chosen by a hash of their groups.
     *
     * @param documents the documents, with codes
     * @return a training with default settings
     * @throws IllegalArgumentException if there are no documents
     */
    public static Training of(Collection<Document> documents) {
        Arguments.check(!documents.isEmpty(), "documents", 0, "at least one");
        return new Training(documents);
    }

    /**
     * Documents to select the best epoch, tune thresholds and calibrate probabilities on.
     *
     * @param dev the documents of dev
     * @return this training
     */
    public Training dev(Collection<Document> dev) {
        documents.put("dev", List.copyOf(dev));
        return this;
    }

    /**
     * Documents for the final evaluation.
     *
     * @param test the documents of test
     * @return this training
     */
    public Training test(Collection<Document> test) {
        documents.put("test", List.copyOf(test));
        return this;
    }

    /**
     * The shares of the documents that become train, dev and test, such as {@code fractions(80, 10, 10)}; they need not sum to
     * 100. Has no effect if you add dev or test documents.
     *
     * @param train the share of train
     * @param dev the share of dev
     * @param test the share of test
     * @return this training
     * @throws IllegalArgumentException if a share is negative or that of train is 0
     */
    public Training fractions(int train, int dev, int test) {
        fractions = Optional.of(Arguments.atLeast(1, "train", train)
                + "/"
                + Arguments.atLeast(0, "dev", dev)
                + "/"
                + Arguments.atLeast(0, "test", test));
        return this;
    }

    /**
     * The model: the name of a packaged one, such as {@code plant}, {@code laat} or {@code linear}, or the path of a YAML file.
     * The default, {@code auto}, chooses by the size of the corpus, descriptions and hardware.
     *
     * @param value the new value
     * @return this training
     */
    public Training model(String value) {
        model = Objects.requireNonNull(value, "model");
        return this;
    }

    /**
     * Descriptions by code, for models that read them and for {@link Suggestion#description}.
     *
     * @param byCode descriptions by code; blank ones are ignored
     * @return this training
     * @throws IllegalArgumentException if a code is blank
     */
    public Training descriptions(Map<String, String> byCode) {
        byCode.forEach((code, description) -> {
            Arguments.check(!code.isBlank(), "code", "'" + code + "'", "not blank");
            if (!description.isBlank()) {
                descriptions.put(code, description);
            }
        });
        return this;
    }

    /**
     * The seed of all random numbers.
     *
     * @param value the new value
     * @return this training
     */
    public Training seed(long value) {
        return setting("seed", value);
    }

    /**
     * The number of epochs.
     *
     * @param value the new value
     * @return this training
     * @throws IllegalArgumentException if the number is below 1
     */
    public Training epochs(int value) {
        return setting("training.epochs", Arguments.atLeast(1, "epochs", value));
    }

    /**
     * The device; by default {@link Device#AUTO}.
     *
     * @param value the new value
     * @return this training
     */
    public Training device(Device value) {
        return setting("compute.device", value);
    }

    /**
     * The precision; by default that of the model.
     *
     * @param value the new value
     * @return this training
     */
    public Training precision(Precision value) {
        return setting("compute.precision", value.name().toLowerCase(Locale.ROOT));
    }

    /**
     * Any other setting of an experiment, such as {@code setting("training.batch_size", 8)}. {@code docs/settings.md} lists all
     * of them. An unknown setting is a {@link UserError} of {@link #run}.
     *
     * @param key the path of the setting, such as {@code training.batch_size}
     * @param value the new value; a string is YAML, as in an experiment file, and a {@link Path} is taken literally
     * @return this training
     */
    public Training setting(String key, Object value) {
        Objects.requireNonNull(value, "value");
        settings.add(Objects.requireNonNull(key, "key") + "=" + (value instanceof Path path ? quoted(path) : value));
        return this;
    }

    /** A path as a YAML string, whatever characters it contains. */
    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "''") + "'";
    }

    /**
     * Receives the progress of long-running stages.
     *
     * @param value the new value
     * @return this training
     */
    public Training progress(Progress value) {
        progress = Objects.requireNonNull(value, "progress");
        return this;
    }

    /**
     * Receives the outcome of each stage.
     *
     * @param value the new value
     * @return this training
     */
    public Training listener(StageListener value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    /**
     * Asked between batches; training stops when it returns true, with a checkpoint to resume from.
     *
     * @param value the new value
     * @return this training
     */
    public Training stopWhen(BooleanSupplier value) {
        stop = Objects.requireNonNull(value, "stop");
        return this;
    }

    /**
     * Replaces an existing run instead of reusing or resuming it.
     *
     * @return this training
     */
    public Training replace() {
        replace = true;
        return this;
    }

    /**
     * Trains and evaluates the model, and returns when it is done or was stopped.
     *
     * @param directory the run directory, such as {@code runs/mine}; it is created, or reused as described above
     * @return the outcome
     * @throws UserError if a document or a setting is invalid, if the directory contains another run, or if the native
     *     libraries are not available
     */
    public TrainingResult run(Path directory) {
        Path run = directory.toAbsolutePath().normalize();
        Path runs = run.resolveSibling("");
        Path corpus = new DocumentFiles(documents, fractions, descriptions).write(runs.resolve(".cache"));
        List<String> overrides = new ArrayList<>(settings);
        overrides.add("name=" + quoted(run.getFileName()));
        Experiment experiment =
                ExperimentFile.open(model, corpus, overrides, reason -> listener.onStage("model", reason));
        boolean finished = new Pipeline(
                        experiment,
                        runs,
                        new Session(Training.class.getName(), BadRowHandler.fail(), replace, progress, stop, listener))
                .run();
        RunDirectory trained = new RunDirectory(run);
        return new TrainingResult(
                directory, finished, evaluation(trained, finished, "dev"), evaluation(trained, finished, "test"));
    }

    private static Optional<Evaluation> evaluation(RunDirectory run, boolean finished, String split) {
        return finished && run.has(run.metrics(split))
                ? Optional.of(Evaluation.read(run.metrics(split)))
                : Optional.empty();
    }
}
