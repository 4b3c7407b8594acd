package org.plant4j.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.support.Arguments;

/**
 * Parameters that share a peak learning rate and a weight decay.
 *
 * @param unfreezeEpoch first epoch in which the parameters are trained
 */
public record ParameterGroup(
        String name, Map<String, Tensor> parameters, double learningRate, double weightDecay, int unfreezeEpoch) {

    public ParameterGroup(String name, Map<String, Tensor> parameters, double learningRate, double weightDecay) {
        this(name, parameters, learningRate, weightDecay, 0);
    }

    public ParameterGroup {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        Arguments.check(learningRate > 0, "learning rate of " + name, learningRate, "> 0");
    }

    /** Freezes or unfreezes the parameters for an epoch; no gradient is computed for frozen ones. */
    void setTrainable(int epoch) {
        parameters.values().forEach(parameter -> parameter.set_requires_grad(epoch >= unfreezeEpoch));
    }
}
