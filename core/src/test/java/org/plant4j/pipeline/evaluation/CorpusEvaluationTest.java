package org.plant4j.pipeline.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.plant4j.Progress;
import org.plant4j.corpus.Corpus;
import org.plant4j.corpus.Splits;
import org.plant4j.corpus.file.BadRowHandler;
import org.plant4j.corpus.format.CorpusFormats;
import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.pipeline.TinyExperiment;
import org.plant4j.tensor.Compute;

class CorpusEvaluationTest {

    @Test
    void documentsOfTrainingAreCounted(@TempDir Path directory) {
        TinyExperiment tiny = TinyExperiment.in(directory);
        Experiment experiment = tiny.linear();
        RunDirectory run = new RunDirectory(tiny.run(experiment));
        Splits splits = CorpusFormats.openSplits(experiment.corpus(), BadRowHandler.fail());

        CorpusEvaluation train = evaluate(run, splits.train());
        assertThat(train.trainedDocuments())
                .isPositive()
                .isEqualTo(train.predictions().documents().size());
        CorpusEvaluation test = evaluate(run, splits.test());
        assertThat(test.trainedDocuments())
                .isLessThan(test.predictions().documents().size());
    }

    private static CorpusEvaluation evaluate(RunDirectory run, Corpus corpus) {
        return CorpusEvaluation.of(run, corpus, Compute.CPU, Progress.NONE);
    }
}
