package org.plant4j.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Parameters that learn at one peak rate and decay at one rate, and stay frozen until epoch {@code thaw}. */
public record ParameterGroup(
        String name, Map<String, Tensor> parameters, double learningRate, double weightDecay, int unfreezeEpoch) {

    public ParameterGroup(String name, Map<String, Tensor> parameters, double learningRate, double weightDecay) {
        this(name, parameters, learningRate, weightDecay, 0);
    }

    public ParameterGroup {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        if (!(learningRate > 0)) {
            throw new IllegalArgumentException("learning rate of " + name + ": " + learningRate + " (expected: > 0)");
        }
    }

    /** Lets the parameters learn in this epoch, or keeps them as they are; frozen ones cost no gradient. */
    void setTrainable(int epoch) {
        parameters.values().forEach(parameter -> parameter.set_requires_grad(epoch >= unfreezeEpoch));
    }
}
