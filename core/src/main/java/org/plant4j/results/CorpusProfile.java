package org.plant4j.results;

import java.util.List;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.inspection.CorpusFacts;

/**
 * What the model {@code auto} knows about a packaged corpus, stored so that its choice can be compared without the data.
 *
 * @param descriptions whether a code set describes the labels
 */
public record CorpusProfile(String corpus, boolean descriptions, CorpusFacts facts) {

    /** Reads the training documents of a packaged corpus. */
    public static CorpusProfile of(String corpus) {
        Experiment experiment = ExperimentFile.open("prior@" + corpus, List.of());
        CorpusFacts facts = CorpusFacts.of(CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.skip())
                .train());
        boolean descriptions =
                !experiment.codeSets().isEmpty() || experiment.corpus().format().equals("demo");
        return new CorpusProfile(corpus, descriptions, facts);
    }
}
