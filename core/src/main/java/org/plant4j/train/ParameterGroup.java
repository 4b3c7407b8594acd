package org.plant4j.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;

/** Parameters that learn at one peak rate and decay at one rate. */
public record ParameterGroup(String name, Map<String, Tensor> parameters, double learningRate, double weightDecay) {

    public ParameterGroup {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        if (!(learningRate > 0)) {
            throw new IllegalArgumentException("learning rate of " + name + ": " + learningRate + " (expected: > 0)");
        }
    }
}
