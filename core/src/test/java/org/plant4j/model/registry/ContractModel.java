package org.plant4j.model.registry;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.plant4j.model.ClassificationObjective;
import org.plant4j.model.DescriptionAware;
import org.plant4j.model.FineTuning;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.NoValidation;
import org.plant4j.model.PlantableNetwork;
import org.plant4j.model.TinyCorpus;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;
import org.plant4j.support.Progress;
import org.plant4j.tensor.Batches;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;
import org.plant4j.train.TrainingHistory;

/** A model under contract: how it learns the tiny corpus, how it is loaded, and what it is expected to reach. */
public record ContractModel(
        String name,
        Training training,
        Function<Path, Model> loader,
        Optional<NetworkConfig> network,
        boolean readsTokens) {

    private static final double LEARNING_RATE = 0.03;

    /** Trains in a folder, from a seed. */
    public interface Training {
        Trained train(TinyCorpus corpus, long seed, int epochs, Path folder);
    }

    /** The model and its loss in each epoch, where it has epochs. */
    public record Trained(Model model, List<Double> losses) {}

    static ContractModel network(String name, NetworkConfig config) {
        return network(name, config, LEARNING_RATE);
    }

    public static ContractModel network(String name, NetworkConfig config, double learningRate) {
        return new ContractModel(
                name,
                (corpus, seed, epochs, folder) -> train(config, learningRate, corpus, seed, epochs, folder),
                folder -> load(config, folder, Compute.CPU),
                Optional.of(config),
                true);
    }

    /** A model that is no network; {@code reads} says whether its scores depend on the words at all. */
    static ContractModel plain(
            String name, BiFunction<TinyCorpus, Long, Model> learner, Function<Path, Model> loader, boolean reads) {
        return new ContractModel(
                name,
                (corpus, seed, epochs, folder) -> new Trained(learner.apply(corpus, seed), List.of()),
                loader,
                Optional.empty(),
                reads);
    }

    static LabelNetwork<?> load(NetworkConfig config, Path folder, Compute compute) {
        LabelNetwork<?> network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        network.load(folder);
        return network;
    }

    private static Trained train(
            NetworkConfig config, double learningRate, TinyCorpus corpus, long seed, int epochs, Path folder) {
        Engine.setSeed(seed);
        LabelNetwork<?> network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU);
        if (network instanceof PlantableNetwork planted) {
            config.plantedAttention().ifPresent(planting -> plant(planted, planting.ranker(), corpus));
        }
        if (network instanceof DescriptionAware described) {
            described.setDescriptions(TinyCorpus.DESCRIPTIONS);
        }
        TrainingHistory history = new Trainer<>(
                        new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, epochs),
                        new ClassificationObjective(
                                network,
                                new Batches(corpus, 10, 1000, seed),
                                FineTuning.uniform(learningRate, 0),
                                new NoValidation()),
                        Compute.CPU,
                        seed,
                        folder.resolveSibling(folder.getFileName() + ".checkpoint"),
                        Progress.NONE,
                        () -> false)
                .run()
                .history();
        return new Trained(
                network,
                history.epochs().stream().map(TrainingHistory.Epoch::trainLoss).toList());
    }

    /** The ranker has learned nothing yet: what it becomes, it becomes here. */
    private static void plant(PlantableNetwork planted, RankModel.Config sizes, TinyCorpus corpus) {
        Relevance relevance = new MutualInformation(MutualInformation.Kind.GAIN, 5)
                .compute(corpus, TinyCorpus.VOCABULARY, TinyCorpus.LABELS);
        try (RankModel ranker = new RankModel(sizes, TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU)) {
            planted.plant(relevance, Optional.of(ranker));
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
