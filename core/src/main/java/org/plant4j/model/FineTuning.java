package org.plant4j.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Layer;
import org.plant4j.train.ParameterGroup;

/**
 * Who learns how fast and from when on. What was learned before, encoder and planted attention, may go slower than the
 * rest; each layer of the encoder by {@code layerDecay} slower than the one above it; and with {@code unfreeze} the
 * encoder stays frozen at first and thaws one layer every so many epochs, the last layer first (Howard, Ruder 2018).
 */
public record FineTuning(
        double learningRate,
        double weightDecay,
        double encoderRate,
        double plantedRate,
        double layerDecay,
        int unfreeze) {

    public FineTuning {
        positive("learning_rate", learningRate);
        positive("encoder_rate", encoderRate);
        positive("planted_rate", plantedRate);
        positive("layer_decay", layerDecay);
        if (!(weightDecay >= 0)) {
            throw new IllegalArgumentException("weight_decay: " + weightDecay + " (expected: >= 0)");
        }
        if (unfreeze < 0) {
            throw new IllegalArgumentException("unfreeze: " + unfreeze + " (expected: >= 0)");
        }
    }

    /** Everything at one rate from the start. */
    public static FineTuning uniform(double learningRate, double weightDecay) {
        return new FineTuning(learningRate, weightDecay, 1, 1, 1, 0);
    }

    private static void positive(String name, double value) {
        if (!(value > 0)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
        }
    }

    public List<ParameterGroup> parameterGroups(LabelNetwork<?> network) {
        Map<String, Tensor> left = new LinkedHashMap<>(network.parameters());
        List<ParameterGroup> groups = new ArrayList<>();
        List<Layer> fromTheLast = new ArrayList<>(network.encoderLayers());
        Collections.reverse(fromTheLast);
        double rate = learningRate * encoderRate;
        int thaw = unfreeze;
        for (Layer layer : fromTheLast) {
            groups.add(new ParameterGroup(
                    "encoder layer " + (fromTheLast.size() - groups.size()),
                    takeParameters(left, layer),
                    rate,
                    weightDecay,
                    thaw));
            rate *= layerDecay;
            thaw += unfreeze;
        }
        network.plantedLayer()
                .ifPresent(planted -> groups.add(new ParameterGroup(
                        "planted", takeParameters(left, planted), learningRate * plantedRate, weightDecay)));
        groups.add(new ParameterGroup("rest", left, learningRate, weightDecay));
        return groups;
    }

    /** The layer's parameters under the names they have in the network, taken out of those that are left. */
    private static Map<String, Tensor> takeParameters(Map<String, Tensor> left, Layer layer) {
        Set<Tensor> own = Collections.newSetFromMap(new IdentityHashMap<>());
        own.addAll(layer.parameters().values());
        Map<String, Tensor> taken = new LinkedHashMap<>();
        left.forEach((path, tensor) -> {
            if (own.contains(tensor)) {
                taken.put(path, tensor);
            }
        });
        left.keySet().removeAll(taken.keySet());
        return taken;
    }
}
