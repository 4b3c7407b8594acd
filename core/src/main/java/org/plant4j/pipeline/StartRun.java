package org.plant4j.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.plant4j.UserError;
import org.plant4j.encoder.EncoderDirectory;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.WarmStart;
import org.plant4j.pipeline.stage.Fingerprint;
import org.plant4j.preparation.DocumentSource;
import org.plant4j.rank.Relevance;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.TrainedDocuments;
import org.plant4j.text.Vocabulary;

/**
 * The run whose weights training starts from. Its vocabulary is kept, and so are all of its labels; labels that it does
 * not have get new rows. Stages that would initialize the weights are skipped.
 */
final class StartRun {

    private final RunDirectory run;
    private final LabelIndex labels;
    private final TrainedDocuments trained;

    private StartRun(RunDirectory run) {
        this.run = run;
        this.labels = LabelIndex.read(run.labels());
        this.trained = run.has(run.trainedDocuments())
                ? TrainedDocuments.read(run.trainedDocuments())
                : TrainedDocuments.NONE; // a run of an earlier version
    }

    /** Opens the run that the experiment starts from and checks that it has the same model and tokenizer. */
    static Optional<StartRun> of(Experiment experiment) {
        return experiment.start().map(Path::of).map(path -> {
            if (!Files.exists(path)) {
                throw new UserError(
                        "The run to start from does not exist",
                        "start: " + path,
                        "name its directory with --set start=PATH, or train a new model with --set start=null");
            }
            RunDirectory run = RunDirectory.open(path);
            if (!run.readManifest().isDone()) {
                throw new UserError(
                        "The run to start from is not trained", "start: " + path, "finish it with `plant run`");
            }
            checkModel(experiment.model(), run);
            checkTokenizer(experiment, run);
            return new StartRun(run);
        });
    }

    /** A run cannot start from itself, nor from a run in its directory: it would replace the weights that it starts from. */
    static void checkIsOutside(Path directory, Experiment experiment) {
        experiment
                .start()
                .map(Path::of)
                .ifPresent(start -> checkIsOutside(directory, start, "start: " + start, "that it starts from"));
    }

    /** Checks that a new run in a directory would not replace {@code source}, which it needs. */
    static void checkIsOutside(Path directory, Path source, String setting, String use) {
        if (Files.exists(source) && Files.exists(directory) && realPath(source).startsWith(realPath(directory))) {
            throw new UserError(
                    "The run would replace the run " + use, setting, "give the new run another name with --set name=…");
        }
    }

    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path, e);
        }
    }

    private static void checkModel(ModelConfig model, RunDirectory run) {
        JsonNode own = settings(model);
        JsonNode other = settings(run.modelConfig());
        if (!own.equals(other)) {
            throw new UserError(
                    "The model differs from that of the run to start from: "
                            + String.join(", ", differences(own, other)),
                    "start: " + run.path(),
                    "use the model settings in " + run.experiment());
        }
    }

    /** Shortlists affect predictions only. */
    private static JsonNode settings(ModelConfig model) {
        return RunDirectory.JSON.valueToTree(model.withShortlist(0).orElse(model));
    }

    private static List<String> differences(JsonNode own, JsonNode other) {
        TreeSet<String> names = new TreeSet<>();
        ((ObjectNode) own).fieldNames().forEachRemaining(names::add);
        ((ObjectNode) other).fieldNames().forEachRemaining(names::add);
        return names.stream()
                .filter(name -> !own.path(name).equals(other.path(name)))
                .map(name -> "model." + name + " is " + own.path(name) + ", there " + other.path(name))
                .toList();
    }

    private static void checkTokenizer(Experiment experiment, RunDirectory run) {
        Optional<String> own = experiment
                .pretrainedEncoder()
                .map(encoder -> content(new EncoderDirectory(Path.of(encoder)).tokenizer()));
        Optional<String> other = run.has(run.tokenizer()) ? Optional.of(content(run.tokenizer())) : Optional.empty();
        if (!own.equals(other)) {
            throw new UserError(
                    "The tokenizer differs from that of the run to start from",
                    "pretrained_encoder, start: " + run.path(),
                    "use the pretrained_encoder in " + run.experiment());
        }
    }

    private static String content(Path file) {
        return new Fingerprint().addFiles(file).hex();
    }

    /** A checksum of everything that the new run takes over. */
    String fingerprint() {
        Fingerprint print = new Fingerprint()
                .addFiles(run.path().resolve(LabelNetwork.WEIGHTS))
                .add(vocabularyFingerprint());
        return run.has(run.relevance()) ? print.addFiles(run.relevance()).hex() : print.hex();
    }

    /** A checksum of vocabulary, labels and training documents, on which the prepared corpus depends. */
    String vocabularyFingerprint() {
        Fingerprint print = new Fingerprint().addFiles(run.vocabulary()).addFiles(run.labels());
        return run.has(run.trainedDocuments())
                ? print.addFiles(run.trainedDocuments()).hex()
                : print.hex();
    }

    /** The vocabulary. */
    List<String> tokens() {
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        return IntStream.range(0, vocabulary.size()).mapToObj(vocabulary::token).toList();
    }

    /** In how many documents that the run was not trained on each code occurs. */
    Map<String, Integer> countNewDocuments(DocumentSource documents) {
        Vocabulary vocabulary = Vocabulary.read(run.vocabulary());
        TrainedDocuments known = trained;
        Map<String, Integer> byCode = new HashMap<>();
        try (Vocabulary.Builder unused = new Vocabulary.Builder()) {
            documents.count(text -> !known.contains(vocabulary.ids(text)), unused, byCode);
        }
        return byCode;
    }

    /** The documents that the run was trained on and the new ones among further documents. */
    int countTrained(Dataset documents) {
        return run.readManifest().trainedDocuments() + trained.countNew(documents);
    }

    /** The labels of the corpus and all labels of the run; {@code newDocuments} as {@link #countNewDocuments} counts them. */
    LabelIndex extend(LabelIndex corpus, Map<String, Integer> newDocuments) {
        return corpus.continuing(labels, newDocuments);
    }

    /** The relevance of the run; that of the corpus for new labels. */
    Relevance extend(Relevance corpus, LabelIndex all) {
        Relevance own = Relevance.read(run.relevance());
        int[] rows = rows(all);
        List<int[]> tokens = new ArrayList<>();
        List<float[]> gains = new ArrayList<>();
        for (int label = 0; label < rows.length; label++) {
            boolean isNew = rows[label] < 0;
            tokens.add(isNew ? corpus.tokens(label) : own.tokens(rows[label]));
            gains.add(isNew ? corpus.gains(label) : own.gains(rows[label]));
        }
        return new Relevance(tokens.toArray(int[][]::new), gains.toArray(float[][]::new));
    }

    /**
     * Writes what the run knows about its training documents: fingerprints, token counts, guard and context profile. The new
     * documents may be few and of one kind, but the model still accepts all others.
     */
    void writeProfiles(RunDirectory staging) {
        TrainedDocuments.read(staging.trainedDocuments()).plus(trained).write(staging.trainedDocuments());
        Vocabulary.read(run.vocabulary())
                .write(staging.vocabulary()); // the guard needs the counts that it was tuned with
        run.readDomain().ifPresent(guard -> staging.write(staging.domain(), guard));
        if (run.has(run.contextProfile())) {
            staging.write(staging.contextProfile(), run.readContextProfile());
        }
    }

    void load(LabelNetwork<?> network, LabelIndex all) {
        WarmStart.load(network, run.path(), rows(all));
    }

    /** A short summary for the log. */
    String summary(LabelIndex all) {
        long added = IntStream.of(rows(all)).filter(row -> row < 0).count();
        return "from " + run.path() + ", version " + run.readManifest().version() + ": " + labels.size() + " labels, "
                + added + " new";
    }

    /** For each label its row in the run, -1 for new labels. */
    private int[] rows(LabelIndex all) {
        return IntStream.range(0, all.size())
                .map(label -> labels.id(all.code(label)).orElse(-1))
                .map(row -> row < labels.size() ? row : -1)
                .toArray();
    }
}
