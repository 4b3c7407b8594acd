package org.plant4j.models;

import java.nio.file.Path;
import org.plant4j.nn.Compute;
import org.plant4j.text.Labels;

/** Loads a trained model of whatever kind. */
public final class Models {

    private Models() {}

    public static Model load(ModelConfig config, Path folder, int vocabulary, Labels labels, Compute compute) {
        if (config instanceof NetworkConfig network) {
            return load(network.build(vocabulary, labels, compute), folder);
        }
        if (config instanceof Linear.Config) {
            return Linear.load(folder);
        }
        if (config instanceof FrequencyPrior.Config) {
            return FrequencyPrior.load(folder);
        }
        if (config instanceof Average.Trained average) {
            return Average.load(average, folder, vocabulary, labels, compute);
        }
        throw new IllegalArgumentException("model: " + config + " (expected: a known kind)");
    }

    private static LabelNetwork load(LabelNetwork network, Path folder) {
        try {
            network.load(folder);
            return network;
        } catch (RuntimeException | Error e) {
            network.close();
            throw e;
        }
    }
}
