package org.plant4j.pipeline;

import java.util.Optional;
import org.plant4j.domain.DomainProfile;
import org.plant4j.domain.DomainTuner;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.PreparedCorpus;

/** Tunes the guard of a run, without the model. */
public final class DomainTuning {

    /** Passages are sampled with the same seed for all runs, so that models on one corpus have the same guard. */
    private static final long SEED = 1;

    private DomainTuning() {}

    /** Adds {@code domain-guard.json} to a run. */
    public static void write(RunDirectory directory, PreparedCorpus prepared) {
        tune(prepared).ifPresent(profile -> directory.add(directory.domain(), profile));
    }

    static Optional<DomainProfile> tune(PreparedCorpus prepared) {
        return DomainTuner.tune(prepared.vocabulary(), prepared.train(), prepared.split(Pipeline.DEV), SEED);
    }
}
