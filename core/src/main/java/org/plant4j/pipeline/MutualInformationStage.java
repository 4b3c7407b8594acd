package org.plant4j.pipeline;

import java.nio.file.Path;
import java.util.stream.IntStream;
import org.plant4j.rank.MutualInformation;
import org.plant4j.rank.Relevance;
import org.plant4j.text.PreparedCorpus;

/** Finds the tokens that tell most of each label, from training documents and their passages alone. */
public record MutualInformationStage(MutualInformation information, PreparedCorpus prepared)
        implements StageCache.CachedStage<Relevance> {

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
        return pairs + " words that speak for " + relevance.labels() + " codes";
    }

    @Override
    public Relevance open(Path path) {
        return Relevance.read(path);
    }
}
