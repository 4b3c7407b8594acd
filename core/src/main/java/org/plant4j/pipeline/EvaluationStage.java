package org.plant4j.pipeline;

import org.plant4j.experiment.Experiment;
import org.plant4j.experiment.RunDirectory;
import org.plant4j.metric.Evaluation;
import org.plant4j.metric.Evaluator;
import org.plant4j.metric.Predictions;
import org.plant4j.metric.Thresholds;
import org.plant4j.model.Model;
import org.plant4j.statistics.Bootstrap;
import org.plant4j.tensor.Compute;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;

/** Dev tunes the thresholds and calibrates; test is scored once with them, where its codes are known. */
public record EvaluationStage(Experiment experiment, RunDirectory folder, Pipeline.Session session) {

    boolean run(PreparedCorpus prepared) {
        Compute compute = experiment.compute().open();
        int words = prepared.vocabulary().size();
        TokenStore train = prepared.train();
        Evaluator evaluator = new Evaluator(
                new Evaluator.Options(
                        Evaluator.Options.standard(experiment.seed()).cutoffs(),
                        Evaluator.Options.standard(experiment.seed()).bucketEnds(),
                        20,
                        new Bootstrap(experiment.evaluation().bootstrapSamples(), 0.95, experiment.seed())),
                train.size(),
                prepared.labels().frequencies());
        try (Model model = folder.modelConfig().load(folder.path(), words, prepared.labels(), compute)) {
            SplitScores dev = SplitScores.of(model, prepared.split(Pipeline.DEV), "evaluate dev", session.progress());
            Thresholds thresholds = DevValidator.thresholds(experiment, dev);
            folder.write(folder.thresholds(), thresholds);
            store(Pipeline.DEV, dev, evaluator, thresholds, prepared);
            DevCalibration.write(folder);
            if (SplitScores.hasGold(prepared.split(Pipeline.TEST))) {
                SplitScores test =
                        SplitScores.of(model, prepared.split(Pipeline.TEST), "evaluate test", session.progress());
                store(Pipeline.TEST, test, evaluator, thresholds, prepared);
            }
        }
        session.listener().onStage("evaluate", "done");
        return true;
    }

    private void store(
            String part, SplitScores scoring, Evaluator evaluator, Thresholds thresholds, PreparedCorpus prepared) {
        if (!scoring.hasGold()) {
            return;
        }
        Evaluation evaluation = evaluator.evaluate(scoring.scores(), scoring.gold(), thresholds);
        evaluation.write(folder.metrics(part));
        Predictions.of(
                        scoring.ids(),
                        prepared.labels()::code,
                        scoring.scores(),
                        scoring.gold(),
                        thresholds,
                        experiment.evaluation().predictionsPerDocument())
                .write(folder.predictions(part));
    }
}
