package org.plant4j.model.plant;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;
import org.plant4j.rank.RankModel;
import org.plant4j.support.Arguments;

/**
 * Which sources labels' attention has: learned from nothing, the static mutual information, the differentiable ranker.
 * {@code scales} are what the three start with; of {@code inattention}, {@code keep} tokens are left.
 */
public record PlantedConfig(
        RankModel.Config ranker,
        boolean learned,
        @JsonProperty("static") boolean fixed,
        boolean differentiable,
        List<Double> scales,
        Inattention inattention,
        int keep) {

    public PlantedConfig {
        Arguments.check(
                learned || fixed || differentiable, "learned, static, differentiable", false, "at least one true");
        scales = List.copyOf(scales);
        Arguments.check(
                scales.size() == 3 && scales.stream().allMatch(scale -> scale > 0), "scales", scales, "three, > 0");
        if (inattention != Inattention.NONE) {
            Arguments.atLeast(1, "keep", keep);
        }
    }

    /** The ranker that is planted. */
    public Optional<RankModel.Config> rankModel() {
        return differentiable ? Optional.of(ranker) : Optional.empty();
    }

    /** Whether anything is planted; if not, all is learned from nothing. */
    public boolean hasPlantedSources() {
        return fixed || differentiable;
    }
}
