package org.plant4j.cli.code;

import java.util.List;
import org.plant4j.UserError;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.ExperimentFile;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.text.PreparedCorpus;

/** A split of the corpus that a run was trained on. */
final class RunSplit {

    private RunSplit() {}

    static Corpus open(RunDirectory directory, String name, BadRowHandler badRows) {
        Splits splits = CorpusFormats.openSplits(
                ExperimentFile.read(directory.experiment(), List.of()).corpus(), badRows);
        return switch (name) {
            case PreparedCorpus.TRAIN -> splits.train();
            case PreparedCorpus.DEV -> splits.dev();
            case PreparedCorpus.TEST -> splits.test();
            default ->
                throw new UserError(
                        "The run's corpus has no split '" + name + "'",
                        "--split",
                        "use train, dev or test; splits of another corpus need its --format");
        };
    }
}
