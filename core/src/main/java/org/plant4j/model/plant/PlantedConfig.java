package org.plant4j.model.plant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.StaticAttention;
import org.plant4j.support.Arguments;

/**
 * Sources of planted attention.
 *
 * @param learned whether label attention with random initial weights is one of them
 * @param fixed whether static mutual information is one of them
 * @param staticWeights how mutual information becomes attention weights
 * @param differentiable whether the trainable ranker is one of them
 * @param scales initial factors of the three
 * @param keep tokens that {@code inattention} keeps per label
 * @param nullTokens tokens with score and value 0 in the softmax of the learned and the ranker's attention
 */
public record PlantedConfig(
        RankModel.Config ranker,
        boolean learned,
        @JsonProperty("static") boolean fixed,
        StaticAttention.Weights staticWeights,
        boolean differentiable,
        List<Double> scales,
        Inattention inattention,
        int keep,
        int nullTokens) {

    public PlantedConfig {
        Arguments.check(
                learned || fixed || differentiable, "learned, static, differentiable", false, "at least one true");
        scales = List.copyOf(scales);
        Arguments.check(
                scales.size() == 3 && scales.stream().allMatch(scale -> scale > 0), "scales", scales, "three, > 0");
        Arguments.atLeast(0, "nullTokens", nullTokens);
        if (inattention != Inattention.NONE) {
            Arguments.atLeast(1, "keep", keep);
        }
    }

    /** The ranker that is planted. */
    public Optional<RankModel.Config> rankModel() {
        return differentiable ? Optional.of(ranker) : Optional.empty();
    }

    /** Whether a source is planted; if not, attention is learned from random weights. */
    public boolean hasPlantedSources() {
        return fixed || differentiable;
    }
}
