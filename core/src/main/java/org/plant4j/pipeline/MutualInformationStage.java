package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;

/** Computes the tokens with the highest mutual information per label, from training documents and their passages only. */
final class MutualInformationStage implements StageCache.CachedStage<Relevance> {

    private final MutualInformation information;
    private final PreparedCorpus prepared;

    MutualInformationStage(MutualInformation information, PreparedCorpus prepared) {
        this.information = information;
        this.prepared = prepared;
    }

    @Override
    public String create(Path draft) {
        Relevance relevance = information.compute(
                prepared.trainingData(),
                prepared.vocabulary().size(),
                prepared.labels().trainedCount());
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
