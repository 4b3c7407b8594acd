package org.plant4j.pipeline.evaluation;

import java.util.stream.Stream;
import org.plant4j.Document;
import org.plant4j.context.ContextProfile;
import org.plant4j.context.ContextProfiler;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.RunDirectory;

/** Counts coded negated mentions in the training documents of a run, without the model. */
public final class ContextProfiling {

    /** Documents are sampled with the same seed for all runs, so that models on one corpus have the same profile. */
    private static final long SEED = 1;

    private ContextProfiling() {}

    /** Adds {@code context-profile.json} to a run. */
    public static void write(RunDirectory directory, CorpusConfig corpus) {
        directory.add(directory.contextProfile(), profile(corpus));
    }

    static ContextProfile profile(CorpusConfig corpus) {
        ContextProfiler profiler = new ContextProfiler();
        // Bad rows were reported when the corpus was prepared.
        Corpus train = CorpusFormats.openSplits(corpus, BadRowHandler.skip()).train();
        try (Stream<Document> sample =
                Corpora.sample(train, ContextProfiler.MAX_DOCUMENTS, SEED).documents()) {
            sample.filter(document -> !document.codes().isEmpty())
                    .forEachOrdered(document -> profiler.add(document.text(), document.codes()));
        }
        return profiler.profile();
    }
}
