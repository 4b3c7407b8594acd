package org.plant4j.model;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.plant4j.support.Arguments;
import org.plant4j.tensor.Compute;
import org.plant4j.tensor.Engine;
import org.plant4j.text.LabelIndex;

/** Settings of a {@link LabelNetwork}. */
public interface NetworkConfig extends ModelConfig {

    /** Size of the token embedding. */
    int embedding();

    /** Builds the network with random weights. */
    LabelNetwork<?> build(int vocabularySize, int labels, Compute compute);

    /** Builds the network for the labels of a run. Only a network that supports them takes zero-shot labels. */
    default LabelNetwork<?> build(int vocabularySize, LabelIndex labels, Compute compute) {
        Arguments.check(
                labels.trainedCount() == labels.size(),
                "labels without training documents",
                labels.size() - labels.trainedCount(),
                "0, as the model does not support zero-shot labels");
        return build(vocabularySize, labels.size(), compute);
    }

    @Override
    default boolean train(TrainingContext context) {
        try (NetworkInputs inputs = context.networkInputs()) {
            Engine.setSeed(context.seed()); // only now: computing the inputs draws random numbers too
            // Dev selects epochs by full scoring: approximate logits do not follow training.
            NetworkConfig scoringAll =
                    withShortlist(0).flatMap(ModelConfig::network).orElse(this);
            try (LabelNetwork<?> network =
                    scoringAll.build(context.vocabularySize(), context.labels(), context.compute())) {
                inputs.initialize(network);
                return context.fit(network);
            }
        }
    }

    @Override
    default LabelNetwork<?> load(Path directory, int vocabularySize, LabelIndex labels, Compute compute) {
        LabelNetwork<?> network = build(vocabularySize, labels, compute);
        try {
            network.load(directory);
            return network;
        } catch (RuntimeException | Error e) {
            network.close();
            throw e;
        }
    }

    @Override
    default Optional<NetworkConfig> network() {
        return Optional.of(this);
    }

    @Override
    default OptionalInt wordVectorSize() {
        return OptionalInt.of(embedding());
    }
}
