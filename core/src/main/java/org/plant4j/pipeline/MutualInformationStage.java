package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.plant4j.pipeline.stage.StageCache;
import org.plant4j.rank.Relevance;

/** Computes the tokens with the highest mutual information per label, from training documents and their passages only. */
final class MutualInformationStage implements StageCache.CachedStage<Relevance> {

    private final Supplier<Relevance> computation;

    MutualInformationStage(Supplier<Relevance> computation) {
        this.computation = computation;
    }

    @Override
    public String create(Path draft) {
        Relevance relevance = computation.get();
        relevance.write(draft);
        long pairs = IntStream.range(0, relevance.labels())
                .mapToLong(relevance::size)
                .sum();
        return pairs + " tokens for " + relevance.labels() + " labels";
    }

    @Override
    public Relevance open(Path path) {
        return Relevance.read(path);
    }
}
