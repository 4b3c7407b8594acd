package org.plant4j.train;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bytedeco.pytorch.Tensor;
import org.plant4j.layer.Layer;
import org.plant4j.support.Arguments;

/**
 * Discriminative learning rates and gradual unfreezing (Howard, Ruder 2018).
 *
 * @param encoderLearningRateScale factor on the learning rate of a pretrained encoder
 * @param plantedLearningRateScale factor on the learning rate of the planted layer
 * @param layerDecay factor on the rate of each encoder layer, relative to the layer above it
 * @param unfreezeInterval epochs between the unfreezing of two encoder layers, from the last to the first; 0 freezes none
 */
public record FineTuning(
        double learningRate,
        double weightDecay,
        double encoderLearningRateScale,
        double plantedLearningRateScale,
        double layerDecay,
        int unfreezeInterval) {

    public FineTuning {
        Arguments.positive("learning_rate", learningRate);
        Arguments.positive("encoder_learning_rate_scale", encoderLearningRateScale);
        Arguments.positive("planted_learning_rate_scale", plantedLearningRateScale);
        Arguments.positive("layer_decay", layerDecay);
        Arguments.atLeast(0.0, "weight_decay", weightDecay);
        Arguments.atLeast(0, "unfreeze_interval", unfreezeInterval);
    }

    /** One rate for all parameters, none frozen. */
    public static FineTuning uniform(double learningRate, double weightDecay) {
        return new FineTuning(learningRate, weightDecay, 1, 1, 1, 0);
    }

    /** Groups the parameters of a network: each encoder layer, the last first, the planted layer, and the rest. */
    public List<ParameterGroup> parameterGroups(
            Map<String, Tensor> parameters, List<Layer> encoderLayers, Optional<Layer> plantedLayer) {
        Map<String, Tensor> rest = new LinkedHashMap<>(parameters);
        List<ParameterGroup> groups = new ArrayList<>();
        double rate = learningRate * encoderLearningRateScale;
        int unfreezeEpoch = unfreezeInterval;
        for (int layer = encoderLayers.size(); layer > 0; layer--) {
            groups.add(new ParameterGroup(
                    "encoder layer " + layer,
                    takeParameters(rest, encoderLayers.get(layer - 1)),
                    rate,
                    weightDecay,
                    unfreezeEpoch));
            rate *= layerDecay;
            unfreezeEpoch += unfreezeInterval;
        }
        plantedLayer.ifPresent(planted -> groups.add(new ParameterGroup(
                "planted", takeParameters(rest, planted), learningRate * plantedLearningRateScale, weightDecay)));
        groups.add(new ParameterGroup("rest", rest, learningRate, weightDecay));
        return groups;
    }

    /** Removes the parameters of a layer from those of the network and returns them under their names there. */
    private static Map<String, Tensor> takeParameters(Map<String, Tensor> rest, Layer layer) {
        Set<Tensor> own = Collections.newSetFromMap(new IdentityHashMap<>());
        own.addAll(layer.parameters().values());
        Map<String, Tensor> taken = new LinkedHashMap<>();
        rest.forEach((path, tensor) -> {
            if (own.contains(tensor)) {
                taken.put(path, tensor);
            }
        });
        rest.keySet().removeAll(taken.keySet());
        return taken;
    }
}
