package org.plant4j.model.registry;

import java.nio.file.Path;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.Model;
import org.plant4j.model.ModelConfig;
import org.plant4j.model.NetworkConfig;
import org.plant4j.model.baseline.FrequencyPrior;
import org.plant4j.model.linear.LinearSvm;
import org.plant4j.tensor.Compute;
import org.plant4j.text.LabelIndex;

/** Loads a trained model of whatever kind. */
public final class ModelRegistry {

    private ModelRegistry() {}

    public static Model load(ModelConfig config, Path folder, int vocabulary, LabelIndex labels, Compute compute) {
        if (config instanceof NetworkConfig network) {
            return load(network.build(vocabulary, labels, compute), folder);
        }
        if (config instanceof LinearSvm.Config) {
            return LinearSvm.load(folder);
        }
        if (config instanceof FrequencyPrior.Config) {
            return FrequencyPrior.load(folder);
        }
        if (config instanceof Ensemble.TrainedConfig average) {
            return Ensemble.load(average, folder, vocabulary, labels, compute);
        }
        throw new IllegalArgumentException("model: " + config + " (expected: a known kind)");
    }

    private static LabelNetwork<?> load(LabelNetwork<?> network, Path folder) {
        try {
            network.load(folder);
            return network;
        } catch (RuntimeException | Error e) {
            network.close();
            throw e;
        }
    }
}
