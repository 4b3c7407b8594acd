package org.plant4j.model.registry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.plant4j.Progress;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.MemberCombiner;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.ModelRegistry;
import org.plant4j.model.NetworkInputs;
import org.plant4j.model.NoValidation;
import org.plant4j.model.TinyCorpus;
import org.plant4j.model.TrainingContext;
import org.plant4j.model.TrainingLabels;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.Dataset;
import org.plant4j.text.LabelIndex;
import org.plant4j.text.PartialDocuments;
import org.plant4j.text.Vocabulary;
import org.plant4j.train.FineTuning;
import org.plant4j.train.Loss;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingCheckpoint;
import org.plant4j.train.TrainingHistory;

/** Trains any model on the tiny corpus as an experiment does, and stores it in a directory. */
public final class TinyTraining implements TrainingContext {

    private static final LabelIndex LABELS = TinyCorpus.labels(TinyCorpus.LABELS, 0);

    private final ModelConfig config;
    private final double learningRate;
    private final TinyCorpus corpus;
    private final long seed;
    private final int epochs;
    private final Path directory;
    private final PartialDocuments partialDocuments;
    private ModelConfig stored;
    private List<Double> losses = List.of();
    private float[][] scores = {};

    private TinyTraining(
            ModelConfig config,
            double learningRate,
            TinyCorpus corpus,
            long seed,
            int epochs,
            Path directory,
            PartialDocuments partialDocuments) {
        this.config = config;
        this.learningRate = learningRate;
        this.corpus = corpus;
        this.seed = seed;
        this.epochs = epochs;
        this.directory = directory;
        this.partialDocuments = partialDocuments;
        this.stored = config;
    }

    /** Trains the model and returns the result. */
    public static TinyTraining of(
            ModelConfig config, double learningRate, TinyCorpus corpus, long seed, int epochs, Path directory) {
        return of(config, learningRate, corpus, seed, epochs, directory, PartialDocuments.NONE);
    }

    static TinyTraining of(
            ModelConfig config,
            double learningRate,
            TinyCorpus corpus,
            long seed,
            int epochs,
            Path directory,
            PartialDocuments partialDocuments) {
        TinyTraining training =
                new TinyTraining(config, learningRate, corpus, seed, epochs, directory, partialDocuments);
        config.train(training);
        return training;
    }

    /** Loss of each epoch; empty for a model that has no epochs. */
    List<Double> losses() {
        return losses;
    }

    /** Scores of the corpus before the model was stored. */
    float[][] scores() {
        return scores;
    }

    /** Loads the trained model. */
    public Model load(Path source, Compute device) {
        return stored.load(source, TinyCorpus.VOCABULARY, LABELS, device);
    }

    public Path directory() {
        return directory;
    }

    @Override
    public Vocabulary vocabulary() {
        return TinyCorpus.vocabulary();
    }

    @Override
    public LabelIndex labels() {
        return LABELS;
    }

    @Override
    public Dataset trainingData() {
        return corpus;
    }

    /** The training documents. */
    @Override
    public Dataset devData() {
        return corpus;
    }

    @Override
    public int documentCount() {
        return corpus.size();
    }

    @Override
    public long seed() {
        return seed;
    }

    @Override
    public Compute compute() {
        return Compute.CPU;
    }

    @Override
    public Progress progress() {
        return Progress.NONE;
    }

    @Override
    public NetworkInputs networkInputs() {
        Engine.setSeed(seed); // of the untrained ranker
        Optional<Relevance> relevance = config.usesRelevance()
                ? Optional.of(new MutualInformation(MutualInformation.Kind.GAIN, 5)
                        .compute(corpus, TinyCorpus.VOCABULARY, TinyCorpus.LABELS))
                : Optional.empty();
        return new NetworkInputs(
                Optional.empty(),
                Optional.empty(),
                relevance,
                config.rankModel()
                        .map(ranker -> new RankModel(ranker, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)),
                config.usesDescriptions() ? Optional.of(TinyCorpus.DESCRIPTIONS) : Optional.empty(),
                config.usesSynonyms() ? Optional.of(TinyCorpus.SYNONYMS) : Optional.empty(),
                Optional.empty());
    }

    @Override
    public boolean fit(LabelNetwork<?> network) {
        TrainingHistory history = new Trainer<>(
                        new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, epochs),
                        new ClassificationObjective(
                                network,
                                epoch -> new Batches(partialDocuments.sample(corpus, seed, epoch), 10, 1000, seed),
                                FineTuning.uniform(learningRate, 0),
                                Loss.PLAIN,
                                0,
                                network.shortlistSize() == 0 ? TrainingLabels.ALL : new TrainingLabels(3, 2),
                                new NoValidation()),
                        Compute.CPU,
                        seed,
                        new TrainingCheckpoint(
                                directory.resolveSibling(directory.getFileName() + ".checkpoint"), "test"),
                        Progress.NONE,
                        () -> false)
                .run()
                .history();
        losses = history.epochs().stream().map(TrainingHistory.Epoch::trainLoss).toList();
        store(network);
        return true;
    }

    @Override
    public boolean fitInOneStep(Supplier<? extends Model> training) {
        try (Model model = training.get()) {
            store(model);
            return true;
        }
    }

    private void store(Model model) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        scores = model.score(corpus.documents());
        model.save(directory);
    }

    /** Members are named by their model, and trained with its example configuration. */
    @Override
    public boolean trainMembers(MemberCombiner combiner) {
        List<ModelConfig> configs = new ArrayList<>();
        List<Model> members = new ArrayList<>();
        for (String name : config.memberExperiments()) {
            for (long memberSeed : config.memberSeeds()) {
                ModelConfig member = ModelRegistry.types().stream()
                        .filter(type -> type.name().equals(name))
                        .findFirst()
                        .orElseThrow()
                        .example()
                        .orElseThrow()
                        .get();
                Path memberDirectory = directory.resolveSibling(directory.getFileName() + "-member-" + members.size());
                TinyTraining training = of(
                        member,
                        learningRate,
                        TinyCorpus.of(60, memberSeed),
                        seed + memberSeed,
                        epochs,
                        memberDirectory);
                configs.add(training.stored);
                members.add(training.load(memberDirectory, Compute.CPU));
            }
        }
        MemberCombiner.Combined combined = combiner.combine(configs, members);
        stored = combined.config();
        return fitInOneStep(combined::model);
    }
}
