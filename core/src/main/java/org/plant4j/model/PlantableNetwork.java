package org.plant4j.model;

import java.util.Optional;
import org.plant4j.rank.RankModel;
import org.plant4j.rank.Relevance;

/** A network whose attention is planted before it learns. */
public interface PlantableNetwork {

    void plant(Relevance relevance, Optional<RankModel> ranker);
}
