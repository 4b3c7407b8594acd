package org.plant4j.experiment;

import org.plant4j.eval.Bootstrap;
import org.plant4j.eval.Evaluation;
import org.plant4j.eval.Evaluator;
import org.plant4j.eval.Predictions;
import org.plant4j.eval.Thresholds;
import org.plant4j.models.Model;
import org.plant4j.models.Models;
import org.plant4j.nn.Compute;
import org.plant4j.predict.RunFolder;
import org.plant4j.text.PreparedCorpus;
import org.plant4j.text.TokenStore;

/** Dev tunes the thresholds and calibrates; test is scored once with them, where its codes are known. */
record EvaluateStage(Experiment experiment, RunFolder folder, Pipeline.Session session) {

    boolean run(PreparedCorpus prepared) {
        Compute compute = experiment.compute().open();
        int words = prepared.vocabulary().size();
        TokenStore train = prepared.train();
        Evaluator evaluator = new Evaluator(
                new Evaluator.Options(
                        Evaluator.Options.standard(experiment.seed()).cutoffs(),
                        Evaluator.Options.standard(experiment.seed()).bucketEnds(),
                        20,
                        new Bootstrap(experiment.evaluation().bootstrap(), 0.95, experiment.seed())),
                train.size(),
                prepared.labels().frequencies());
        try (Model model = Models.load(folder.modelConfig(), folder.path(), words, prepared.labels(), compute)) {
            Scoring dev = Scoring.of(model, prepared.part(Pipeline.DEV), "evaluate dev", session.progress());
            Thresholds thresholds = DevJudge.thresholds(experiment, dev);
            folder.write(folder.thresholds(), thresholds);
            store(Pipeline.DEV, dev, evaluator, thresholds, prepared);
            DevCalibration.write(folder);
            if (Scoring.hasGold(prepared.part(Pipeline.TEST))) {
                Scoring test = Scoring.of(model, prepared.part(Pipeline.TEST), "evaluate test", session.progress());
                store(Pipeline.TEST, test, evaluator, thresholds, prepared);
            }
        }
        session.listener().stage("evaluate", "done");
        return true;
    }

    private void store(
            String part, Scoring scoring, Evaluator evaluator, Thresholds thresholds, PreparedCorpus prepared) {
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
                        experiment.evaluation().predictions())
                .write(folder.predictions(part));
    }
}
