package org.plant4j.cli.corpus;

import java.util.List;
import java.util.Optional;
import org.plant4j.corpus.Corpora;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusConfig;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;

/** New documents for a run. A file in the format of the run's own corpus is read with the same columns and options. */
public final class RunCorpus {

    private RunCorpus() {}

    public static Corpus open(RunDirectory run, List<String> paths, BadRowHandler badRows) {
        CorpusConfig own = ExperimentFile.read(run.experiment(), List.of()).corpus();
        return Corpora.concat(
                paths.size() == 1 ? paths.get(0) : paths.size() + " files",
                paths.stream()
                        .map(path -> own.forDocuments(CorpusFormats.infer(path, List.of()), path))
                        .map(config -> CorpusFormats.openSubset(config, Optional.empty(), badRows))
                        .toList());
    }
}
