package org.plant4j.models;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.global.torch;
import org.plant4j.Progress;
import org.plant4j.nn.Batch;
import org.plant4j.nn.Batches;
import org.plant4j.nn.Compute;
import org.plant4j.nn.Engine;
import org.plant4j.train.History;
import org.plant4j.train.Objective;
import org.plant4j.train.ParameterGroup;
import org.plant4j.train.Trainer;
import org.plant4j.train.TrainerConfig;

/** A model under contract: how it learns the tiny corpus, how it is loaded, and what it is expected to reach. */
record Subject(
        String name, Learner learner, Function<Path, Model> loader, Optional<NetworkConfig> network, boolean reads) {

    /** Trains in a folder, from a seed. */
    interface Learner {
        Learned learn(TinyCorpus corpus, long seed, int epochs, Path folder);
    }

    /** The model and its loss in each epoch, where it has epochs. */
    record Learned(Model model, List<Double> losses) {}

    static Subject network(String name, NetworkConfig config) {
        return new Subject(
                name,
                (corpus, seed, epochs, folder) -> train(config, corpus, seed, epochs, folder),
                folder -> load(config, folder, Compute.CPU),
                Optional.of(config),
                true);
    }

    /** A model that is no network; {@code reads} says whether its scores depend on the words at all. */
    static Subject plain(
            String name, Function<TinyCorpus, Model> learner, Function<Path, Model> loader, boolean reads) {
        return new Subject(
                name,
                (corpus, seed, epochs, folder) -> new Learned(learner.apply(corpus), List.of()),
                loader,
                Optional.empty(),
                reads);
    }

    static LabelNetwork load(NetworkConfig config, Path folder, Compute compute) {
        LabelNetwork network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, compute);
        network.load(folder);
        return network;
    }

    private static Learned train(NetworkConfig config, TinyCorpus corpus, long seed, int epochs, Path folder) {
        Engine.seed(seed);
        LabelNetwork network = config.build(TinyCorpus.VOCABULARY, TinyCorpus.LABELS, Compute.CPU);
        History history = new Trainer<>(
                        new TrainerConfig(epochs, 0.3, 1, 0.9, 0.99, epochs),
                        new Labelling(network, new Batches(corpus, 10, 1000, seed)),
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

    private record Labelling(LabelNetwork network, Batches batches) implements Objective<int[]> {

        private static final double LEARNING_RATE = 0.03;
        private static final long SUM = 2; // at::Reduction::Sum

        @Override
        public Map<String, Tensor> parameters() {
            return network.parameters();
        }

        @Override
        public List<ParameterGroup> groups() {
            return List.of(new ParameterGroup("all", network.parameters(), LEARNING_RATE, 0));
        }

        @Override
        public List<int[]> epoch(int epoch) {
            return batches.epoch(epoch);
        }

        @Override
        public Tensor loss(int[] documents) {
            Batch batch = batches.load(documents, network.labels(), network.compute());
            TensorOptional none = new TensorOptional();
            return torch.binary_cross_entropy_with_logits(
                            network.forward(batch).logits(), batch.targets().orElseThrow(), none, none, SUM)
                    .div(new Scalar((double) documents.length));
        }

        @Override
        public Validation validate() {
            return new Validation(0, 0);
        }

        @Override
        public void keep() {}
    }

    @Override
    public String toString() {
        return name;
    }
}
