package org.plant4j.pipeline.evaluation;

import java.util.Optional;
import org.plant4j.domain.DomainProfile;
import org.plant4j.domain.DomainTuner;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.Vocabulary;

/** Tunes the guard of a run, without the model. */
public final class DomainTuning {

    /** Passages are sampled with the same seed for all runs, so that models on one corpus have the same guard. */
    private static final long SEED = 1;

    private DomainTuning() {}

    /** Adds {@code domain-guard.json} to a run. */
    public static void write(RunDirectory directory, PreparedCorpus prepared) {
        tune(directory, prepared).ifPresent(profile -> directory.add(directory.domain(), profile));
    }

    /** The guard reads token counts from the vocabulary of the run. */
    static Optional<DomainProfile> tune(RunDirectory directory, PreparedCorpus prepared) {
        Vocabulary vocabulary = Vocabulary.read(directory.vocabulary());
        return DomainTuner.tune(vocabulary, prepared.train(), prepared.split(PreparedCorpus.DEV), SEED);
    }
}
