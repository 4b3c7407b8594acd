package org.plant4j.model;

import java.util.Optional;
import org.plant4j.encoder.BertEncoder;
import org.plant4j.model.plant.PlantedConfig;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/** The sizes of a network; what a run needs to build it before it loads the weights. */
public interface NetworkConfig extends ModelConfig {

    /** Numbers a word; vectors learned beforehand must have as many. */
    int embedding();

    /** Its encoder, where that starts from the folder of a pretrained one, and so reads that one's pieces. */
    default Optional<BertEncoder.Config> pretrainedEncoder() {
        return Optional.empty();
    }

    LabelNetwork<?> build(int vocabulary, int labels, Compute compute);

    /** The same for a run's codes, of which it may be that not all are learned. */
    default LabelNetwork<?> build(int vocabulary, LabelIndex labels, Compute compute) {
        if (labels.trainedCount() < labels.size()) {
            throw new IllegalArgumentException("labels: " + labels.size() + ", " + labels.trainedCount()
                    + " of them learned (expected: all, for nothing else is known of them)");
        }
        return build(vocabulary, labels.size(), compute);
    }

    /** Whether the network can give labels that it does not learn. */
    default boolean supportsZeroShot() {
        return false;
    }

    /** Whether the network is {@link DescriptionAware}. */
    default boolean usesDescriptions() {
        return false;
    }

    /** What its attention is planted with, where the network is {@link PlantableNetwork} and anything is. */
    default Optional<PlantedConfig> plantedAttention() {
        return Optional.empty();
    }

    static void dropout(double share) {
        if (!(share >= 0 && share < 1)) {
            throw new IllegalArgumentException("dropout: " + share + " (expected: >= 0 and < 1)");
        }
    }

    static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }
}
