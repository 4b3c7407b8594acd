package org.plant4j.models;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.plant4j.Progress;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.train.History;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;

/** A model under contract: how it learns the tiny corpus, how it is loaded, and what it is expected to reach. */
record Subject(
        String name, Learner learner, Function<Path, Model> loader, Optional<NetworkConfig> network, boolean reads) {

    private static final double LEARNING_RATE = 0.03;

    /** Trains in a folder, from a seed. */
    interface Learner {
        Learned learn(TinyCorpus corpus, long seed, int epochs, Path folder);
    }

    /** The model and its loss in each epoch, where it has epochs. */
    record Learned(Model model, List<Double> losses) {}

    static Subject network(String name, NetworkConfig config) {
        return network(name, config, LEARNING_RATE);
    }

    static Subject network(String name, NetworkConfig config, double learningRate) {
        return new Subject(
                name,
                (corpus, seed, epochs, folder) -> train(config, learningRate, corpus, seed, epochs, folder),
                folder -> load(config, folder, Compute.CPU),
                Optional.of(config),
                true);
    }

    /** A model that is no network; {@code reads} says whether its scores depend on the words at all. */
    static Subject plain(
            String name, BiFunction<TinyCorpus, Long, Model> learner, Function<Path, Model> loader, boolean reads) {
        return new Subject(
                name,
                (corpus, seed, epochs, folder) -> new Learned(learner.apply(corpus, seed), List.of()),
                loader,
                Optional.empty(),
                reads);
    }

    static LabelNetwork load(NetworkConfig config, Path folder, Compute compute) {
        LabelNetwork network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        network.load(folder);
        return network;
    }

    private static Learned train(
            NetworkConfig config, double learningRate, TinyCorpus corpus, long seed, int epochs, Path folder) {
        Engine.seed(seed);
        LabelNetwork network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU);
        if (network instanceof Planted planted) {
            config.planting().ifPresent(planting -> plant(planted, planting.ranker(), corpus));
        }
        if (network instanceof Described described) {
            described.describe(TinyCorpus.DESCRIPTIONS);
        }
        History history = new Trainer<>(
                        new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, epochs),
                        new Classification(
                                network,
                                new Batches(corpus, 10, 1000, seed),
                                FineTuning.plain(learningRate, 0),
                                new NoJudge()),
                        Compute.CPU,
                        seed,
                        folder.resolveSibling(folder.getFileName() + ".checkpoint"),
                        Progress.NONE,
                        () -> false)
                .run()
                .history();
        return new Learned(
                network, history.epochs().stream().map(History.Epoch::trainLoss).toList());
    }

    /** The ranker has learned nothing yet: what it becomes, it becomes here. */
    private static void plant(Planted planted, RankModel.Config sizes, TinyCorpus corpus) {
        Relevance relevance = new MutualInformation(MutualInformation.Kind.GAIN, 5)
                .of(corpus, TinyCorpus.VOCABULARY, TinyCorpus.LABELS);
        try (RankModel ranker = new RankModel(sizes, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            planted.plant(relevance, Optional.of(ranker));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
