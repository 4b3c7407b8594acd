package org.plant4j.train;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.support.Arguments;

/**
 * Parameters that share a peak learning rate and a weight decay.
 *
 * @param unfreezeEpoch first epoch in which the parameters are trained
 * @param sparse whether gradients are sparse tensors, which name the rows that a step updates
 */
public record ParameterGroup(
        String name,
        Map<String, Tensor> parameters,
        double learningRate,
        double weightDecay,
        int unfreezeEpoch,
        boolean sparse) {

    public ParameterGroup(String name, Map<String, Tensor> parameters, double learningRate, double weightDecay) {
        this(name, parameters, learningRate, weightDecay, 0);
    }

    public ParameterGroup(
            String name, Map<String, Tensor> parameters, double learningRate, double weightDecay, int unfreezeEpoch) {
        this(name, parameters, learningRate, weightDecay, unfreezeEpoch, false);
    }

    public ParameterGroup {
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        Arguments.check(learningRate > 0, "learning rate of " + name, learningRate, "> 0");
    }

    /** This group without the parameters of these names, and a sparse group of them. */
    public List<ParameterGroup> withSparse(Set<String> names) {
        Map<String, Tensor> dense = new LinkedHashMap<>(parameters);
        dense.keySet().removeAll(names);
        Map<String, Tensor> rows = new LinkedHashMap<>(parameters);
        rows.keySet().retainAll(names);
        return List.of(
                new ParameterGroup(name, dense, learningRate, weightDecay, unfreezeEpoch),
                new ParameterGroup(name + ", label rows", rows, learningRate, weightDecay, unfreezeEpoch, true));
    }

    /** Freezes or unfreezes the parameters for an epoch; no gradient is computed for frozen ones. */
    void setTrainable(int epoch) {
        parameters.values().forEach(parameter -> parameter.set_requires_grad(epoch >= unfreezeEpoch));
    }
}
