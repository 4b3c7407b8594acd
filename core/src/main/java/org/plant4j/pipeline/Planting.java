package org.plant4j.pipeline;

import java.util.Optional;
import org.plant4j.model.LabelNetwork;
import org.plant4j.model.PlantableNetwork;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;

/** What a network's attention is planted with; nothing where it learns all by itself. */
public record Planting(Optional<Relevance> relevance, Optional<RankModel> ranker) implements AutoCloseable {

    static final Planting NONE = new Planting(Optional.empty(), Optional.empty());

    void into(LabelNetwork<?> network) {
        if (network instanceof PlantableNetwork planted) {
            relevance.ifPresent(found -> planted.plant(found, ranker));
        }
    }

    @Override
    public void close() {
        ranker.ifPresent(RankModel::close);
    }
}
